/**
 * Writes dist/parts.json: for each page, by its name, the files that it requests beyond the shell. The
 * server lists them in the page, so that they load together with the shell and not after it has run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePaths } from '@oja/contracts/pages';
import { closure, dist, manifest } from './manifest.mjs';

/** A page's file is named after the page: `home` is in HomePage.tsx. */
const fileOf = (name) => `${name[0].toUpperCase()}${name.slice(1)}Page.tsx`;

/** The key of the page's own code in Vite's manifest. @throws Error unless exactly one file has the page's name. */
function entryOf(name) {
  const found = Object.keys(manifest).filter(
    (key) => manifest[key].isDynamicEntry && key.endsWith(`/${fileOf(name)}`),
  );
  if (found.length !== 1) throw new Error(`parts: ${found.length} files are named ${fileOf(name)}`);
  return found[0];
}

/** Layouts whose code loads together with the page's own. */
const besides = { store: ['src/features/store/StoreFrame.tsx'] };

const shell = closure('index.html');

function partsOf(entries) {
  const all = new Set(entries.flatMap((entry) => [...closure(entry)]));
  const own = [...all].filter((key) => !shell.has(key));
  return {
    scripts: own.map((key) => `/${manifest[key].file}`),
    styles: [...new Set(own.flatMap((key) => manifest[key].css ?? []))].map((file) => `/${file}`),
  };
}

const parts = Object.fromEntries(
  Object.keys(pagePaths).map((name) => [name, partsOf([entryOf(name), ...(besides[name] ?? [])])]),
);
writeFileSync(
  join(dist, 'parts.json'),
  JSON.stringify({ ...parts, begin: partsOf(['src/begin.ts']) }),
);
