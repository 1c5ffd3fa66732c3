import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders made by builds and tests, or read only by tests. */
const LEFT_OUT = new Set([
  'node_modules',
  'dist',
  'dist-held',
  'dist-held.part',
  'dist-previous',
  'dist-program',
  'dist-server',
  'generated',
  'test',
  'test-results',
  'data',
  'coverage',
]);

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!LEFT_OUT.has(name) && !name.endsWith('.test.ts') && !name.endsWith('.test.tsx'))
      yield* filesBelow(join(path, name));
  }
}

/** One hash over names, sizes and modification times of all files below the paths: cheap enough for every start. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesBelow(path)) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  return hash.digest('hex');
}

/** Runs `work` unless it already succeeded for this fingerprint; only a success writes the stamp file. */
export async function once(stamp, print, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === print) return;
  await work();
  mkdirSync(join(stamp, '..'), { recursive: true });
  writeFileSync(stamp, print);
}
