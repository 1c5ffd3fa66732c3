import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hold, keep } from '../../web/scripts/previous.mjs';
import { temporaryFolder } from '../support/market.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const assets = (of: string) => join(folder.path, of, 'assets');

/** Builds as the bundler does: it clears the output folder first. */
function build(...names: readonly string[]): void {
  rmSync(join(folder.path, 'dist'), { recursive: true, force: true });
  mkdirSync(assets('dist'), { recursive: true });
  for (const name of names) writeFileSync(join(assets('dist'), name), name);
}

function deploy(...names: readonly string[]): void {
  hold(folder.path);
  build(...names);
  keep(folder.path);
}

const previous = () => readdirSync(assets('dist-previous')).sort();

it('keeps what the build before had and the new one has not', () => {
  deploy('core-1.js', 'home-1.js', 'cart-1.js');
  deploy('core-1.js', 'home-2.js', 'cart-2.js');
  expect(previous()).toEqual(['cart-1.js', 'home-1.js']);
  deploy('core-2.js', 'home-2.js', 'cart-2.js');
  expect(previous()).toEqual(['core-1.js']);
});

it('keeps what was kept when a build changes nothing', () => {
  deploy('home-1.js');
  deploy('home-2.js');
  deploy('home-2.js');
  expect(previous()).toEqual(['home-1.js']);
});

it('remembers through a build that failed what people have open', () => {
  deploy('home-1.js');
  hold(folder.path);
  build();
  deploy('home-2.js');
  expect(previous()).toEqual(['home-1.js']);
});

it('has nothing to keep at the first build', () => {
  deploy('home-1.js');
  expect(existsSync(assets('dist-previous'))).toBe(false);
});
