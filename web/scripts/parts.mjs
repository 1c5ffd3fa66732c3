/**
 * Writes dist/parts.json: which files a page asks for once its own code is found to be needed, by the page's address.
 * The server names them in the page, so that they come together with the shell and not after it has run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closure } from './manifest.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));

/** The pages that people come to first, by links and searches, and all that the server renders. */
const pages = {
  '/': ['features/home/route.tsx'],
  '/search-items': ['features/search/route.tsx'],
  '/category/:category': ['features/category/route.tsx'],
  '/category/:category/:subcategory': ['features/category/route.tsx'],
  '/single-product/:subcategory/:id': ['features/product/route.tsx'],
  '/sellers-store/:name': ['app/layouts/StoreLayout.tsx', 'features/store/route.tsx'],
  '/cart-contents/:mode': ['features/cart/route.tsx'],
  '/about': ['features/pages/about.tsx'],
  '/terms-&-conditions': ['features/pages/terms.tsx'],
  '/privacy-policy': ['features/pages/privacy.tsx'],
};

const shell = closure(manifest, 'index.html');

function partsOf(files) {
  const all = new Set(files.flatMap((file) => [...closure(manifest, `src/${file}`)]));
  const own = [...all].filter((key) => !shell.has(key));
  return {
    scripts: own.map((key) => `/${manifest[key].file}`),
    styles: [...new Set(own.flatMap((key) => manifest[key].css ?? []))].map((file) => `/${file}`),
  };
}

const parts = Object.fromEntries(
  Object.entries({ ...pages, begin: ['begin.ts'] }).map(([name, files]) => [name, partsOf(files)]),
);
writeFileSync(join(dist, 'parts.json'), JSON.stringify(parts));
