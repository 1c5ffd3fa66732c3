/**
 * Keeps what the build before had and the new one has not: a page that was opened before a deploy still asks for its
 * own parts. `hold` puts the assets aside before a build empties `dist`, `keep` leaves the gone ones in
 * `dist-previous`. A build that changed nothing keeps what was kept.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** What an earlier build held and never kept has failed: its parts are those that people have open. */
export function hold(web) {
  const [dist, held] = [join(web, 'dist', 'assets'), join(web, 'dist-held')];
  if (existsSync(dist) && !existsSync(held)) cpSync(dist, held, { recursive: true });
}

/** @returns {string[]} the names that only the build before has */
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
  const web = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (process.argv[2] === 'hold') hold(web);
  else console.log(`previous build: ${keep(web).length} files kept`);
}
