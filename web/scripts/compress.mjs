/**
 * Compresses the build's text assets once, as well as Brotli can: `<name>.br` beside each. The market
 * sends these. What it compressed itself, for each answer anew, could only be a seventh larger.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const assets = join(import.meta.dirname, '..', 'dist', 'assets');
/** Brotli's default quality is its best. */
const compress = promisify(brotliCompress);
/** In bytes: with less gained, the header that names the encoding would cost as much. */
const LEAST_GAIN = 64;

await Promise.all(
  (await readdir(assets))
    .filter((name) => /\.(js|css|svg|txt)$/.test(name))
    .map(async (name) => {
      const bytes = await readFile(join(assets, name));
      const compressed = await compress(bytes);
      if (compressed.length + LEAST_GAIN < bytes.length)
        await writeFile(join(assets, `${name}.br`), compressed);
    }),
);
