/**
 * Cuts Bricolage Grotesque into the app's three font files: Latin, the naira sign, and the letters of
 * Yoruba and Igbo names. The package's Latin-extended file would cost 18 kB for one glyph. The files
 * are made at build time and kept out of git; the font's licence lies beside them, as the OFL requires.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const target = join(import.meta.dirname, '..', 'src', 'generated', 'fonts');

/** Weights that the design uses; the package goes down to 200. */
const axes = { wght: { min: 400, max: 800 } };

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');

const cuts = [
  {
    name: 'oja-latin',
    part: 'latin',
    text: `${range(0x20, 0x7e)}${range(0xa0, 0xff)}\u0131\u0152\u0153\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212`,
  },
  { name: 'oja-naira', part: 'latin-ext', text: '\u20a6\u0143\u0144\u0147\u0148' },
  {
    name: 'oja-names',
    part: 'vietnamese',
    text: `${range(0x1eb8, 0x1eb9)}${range(0x1eca, 0x1ecd)}${range(0x1ee4, 0x1ee5)}`,
  },
];

/**
 * Makes the font files when they are missing or were made by another version of this script or of the package.
 * @returns {Promise<boolean>} whether the files were made
 */
export async function ensureFonts() {
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve('@fontsource-variable/bricolage-grotesque/package.json'));
  const version = await readFile(join(root, 'package.json'));
  const stamp = createHash('sha256')
    .update(version)
    .update(JSON.stringify({ axes, cuts }))
    .digest('hex');
  const stampFile = join(target, 'stamp');
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return false;

  const { default: subsetFont } = await import('subset-font');
  await mkdir(target, { recursive: true });
  for (const { name, part, text } of cuts) {
    const source = join(root, 'files', `bricolage-grotesque-${part}-wght-normal.woff2`);
    const cut = await subsetFont(await readFile(source), text, {
      targetFormat: 'woff2',
      variationAxes: axes,
    });
    await writeFile(join(target, `${name}.woff2`), cut);
  }
  await writeFile(join(target, 'OFL.txt'), await readFile(join(root, 'LICENSE')));
  await writeFile(stampFile, stamp);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureFonts();
