import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The drawings lie beside `src` and `dist`, which are equally deep. */
const ASSETS = new URL('../../../assets/samples/', import.meta.url);

/** The text of a drawing of ours: `goods.svg` or `moon.svg`. */
export const readDrawing = (name: 'goods' | 'moon'): Promise<string> =>
  readFile(new URL(`${name}.svg`, ASSETS), 'utf8');

const require = createRequire(import.meta.url);

/** Where a 3D emoji lies on disk, by its code point as the package spells it. */
export const emojiPath = (codePoint: string): string =>
  require.resolve(`@lobehub/fluent-emoji-3d/assets/${codePoint}.webp`);
