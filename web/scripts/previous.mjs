/**
 * Keeps files of the previous build that the new one no longer has: a page opened before a deploy still
 * requests its own parts. `hold` copies the assets aside before a build empties `dist`; `keep` moves
 * those that are gone to `dist-previous`. A build that changes nothing leaves `dist-previous` as it is.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** Held files that were never kept come from a failed build; they stay, because open pages request them. */
export function hold(web) {
  const [dist, held] = [join(web, 'dist', 'assets'), join(web, 'dist-held')];
  if (!existsSync(dist) || existsSync(held)) return;
  // Copied beside and renamed: a copy that is killed half-way is never taken for whole.
  const copying = `${held}.part`;
  rmSync(copying, { recursive: true, force: true });
  cpSync(dist, copying, { recursive: true });
  renameSync(copying, held);
}

/** @returns {string[]} names of files that only the previous build has */
export function keep(web) {
  const held = join(web, 'dist-held');
  const built = new Set(namesIn(join(web, 'dist', 'assets')));
  const gone = namesIn(held).filter((name) => !built.has(name));
  if (gone.length > 0) {
    const previous = join(web, 'dist-previous');
    rmSync(previous, { recursive: true, force: true });
    mkdirSync(join(previous, 'assets'), { recursive: true });
    for (const name of gone) renameSync(join(held, name), join(previous, 'assets', name));
  }
  rmSync(held, { recursive: true, force: true });
  return gone;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const web = join(import.meta.dirname, '..');
  if (process.argv[2] === 'hold') hold(web);
  else console.log(`previous build: ${keep(web).length} files kept`);
}
