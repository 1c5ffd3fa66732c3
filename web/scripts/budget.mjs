/**
 * Measures what the market sends of the build, and fails when it is over budget: the
 * storefront's first load (entry, home and everything that both import) and every lazy route on top
 * of it. Reads Vite's manifest, so it measures what browsers really request.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { closure, dist, manifest } from './manifest.mjs';

/** In kB of 1,000 bytes, JavaScript only. */
const FIRST_LOAD_KB = 114;
const LAZY_ROUTE_KB = 50;

const sizes = new Map();
function brotliKb(file) {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const compressed = join(dist, `${file}.br`);
  const kb = statSync(existsSync(compressed) ? compressed : join(dist, file)).size / 1_000;
  sizes.set(file, kb);
  return kb;
}

const sum = (files) => [...files].reduce((total, file) => total + brotliKb(file), 0);
const scripts = (keys) => new Set([...keys].map((key) => manifest[key].file));
const styles = (keys) => new Set([...keys].flatMap((key) => manifest[key].css ?? []));

const ENTRY = 'index.html';
const BEGIN = 'src/begin.ts';
const HOME = 'src/features/home/HomePage.tsx';
if ([ENTRY, BEGIN, HOME].some((key) => manifest[key] === undefined)) {
  console.error('budget: the build has no entry or no home; has it moved?');
  process.exit(1);
}

const shell = closure(BEGIN, closure(ENTRY));
const first = closure(HOME, new Set(shell));
const rows = [
  ['first load (shell and home)', sum(scripts(first)), FIRST_LOAD_KB, sum(styles(first))],
];
for (const key of Object.keys(manifest).filter((name) => manifest[name].isDynamicEntry)) {
  const own = new Set([...closure(key)].filter((chunk) => !shell.has(chunk)));
  rows.push([key.replace('src/', ''), sum(scripts(own)), LAZY_ROUTE_KB, sum(styles(own))]);
}

/** The style sheet linked first fixes the order of the CSS layers; in any other order the wrong styles win. */
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const [, firstSheet = ''] = /rel="stylesheet"[^>]*href="\/([^"]+)"/.exec(page) ?? [];
const sheet = firstSheet === '' ? '' : readFileSync(join(dist, firstSheet), 'utf8');
const LAYERS = ['base', 'layout', 'ui', 'pages', 'utilities'];
const named = [...sheet.matchAll(/@layer ([\w, ]+)[{;]/g)].flatMap(([, names]) =>
  names.split(/, ?/),
);
if ([...new Set(named)].join() !== LAYERS.join()) {
  console.error(
    `budget: the first style sheet (${firstSheet}) does not fix the order of the layers`,
  );
  process.exit(1);
}

let over = false;
for (const [name, kb, budget, css] of rows) {
  const bad = kb > budget;
  over ||= bad;
  console.log(
    `${bad ? 'OVER ' : '     '}${kb.toFixed(1).padStart(6)} kB of ${budget}  css ${css.toFixed(1).padStart(5)} kB  ${name}`,
  );
}
if (over) {
  console.error('budget: over. Load less at once, or later.');
  process.exit(1);
}
