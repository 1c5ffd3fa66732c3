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

/** The pages that people come to first, by links and searches; the others wait a moment longer. */
const pages = {
  '/': 'home/route.tsx',
  '/search-items': 'search/route.tsx',
  '/category/:category': 'category/route.tsx',
  '/category/:category/:subcategory': 'category/route.tsx',
  '/single-product/:subcategory/:id': 'product/route.tsx',
  '/cart-contents/:mode': 'cart/route.tsx',
};

const shell = closure(manifest, 'index.html');

function partsOf(page) {
  const own = [...closure(manifest, `src/features/${page}`)].filter((key) => !shell.has(key));
  return {
    scripts: own.map((key) => `/${manifest[key].file}`),
    styles: [...new Set(own.flatMap((key) => manifest[key].css ?? []))].map((file) => `/${file}`),
  };
}

const parts = Object.fromEntries(
  Object.entries(pages).map(([address, page]) => [address, partsOf(page)]),
);
writeFileSync(join(dist, 'parts.json'), JSON.stringify(parts));
