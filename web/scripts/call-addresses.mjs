/**
 * Gives the web app the method and path of each call of `contracts` that it makes, without the schemas beside them:
 * those would bring all of zod into the first load.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calls } from '@oja/contracts';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const ID = 'virtual:call-addresses';
const NAMED = /\b(?:call|addressOf)\(\s*'(\w+)'/g;

/** The names of the calls that some source of the app makes. */
function callsMade() {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, name]) => name)));
}

/** @returns {import('vite').Plugin} */
export function callAddresses() {
  return {
    name: 'call-addresses',
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null;
      const made = callsMade();
      const addresses = Object.values(calls)
        .filter(({ name }) => made.has(name))
        .map(({ name, method, path }) => [name, `${method} ${path}`]);
      return `export const addresses = ${JSON.stringify(Object.fromEntries(addresses))};`;
    },
  };
}
