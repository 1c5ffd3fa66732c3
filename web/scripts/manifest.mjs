import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the build. */
export const dist = join(import.meta.dirname, '..', 'dist');

/** Vite's manifest of the build: chunk → its file, its styles, and the chunks that it imports. */
export const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));

/** The chunk and everything it imports statically, recursively, as keys of the manifest. */
export function closure(key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, found);
  return found;
}
