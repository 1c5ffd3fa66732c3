import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a value was found in a folder: the file, and the encoding (`dress`). */
export interface Trace {
  readonly file: string;
  readonly value: string;
  readonly dress: string;
}

/**
 * The part of the value's base64 that is the same whatever surrounds it, when `before` bytes of the
 * encoded text precede it.
 */
function base64Within(value: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), value]);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(from, to);
}

function dressesOf(value: Buffer): readonly (readonly [string, Buffer])[] {
  const base64 = [0, 1, 2].map((before) => base64Within(value, before));
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [
    ['as it is', value],
    ...[...base64, ...url].map((text) => ['base64', Buffer.from(text)] as const),
  ];
}

/** Every trace of the values in the raw bytes of all files below the folder. */
export function tracesOf(
  folder: string,
  values: Readonly<Record<string, string | Buffer>>,
): readonly Trace[] {
  const wanted = Object.entries(values).flatMap(([value, given]) => {
    const bytes = typeof given === 'string' ? Buffer.from(given, 'utf8') : given;
    return dressesOf(bytes).map(([dress, needle]) => ({ value, dress, needle }));
  });
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const bytes = readFileSync(file);
      return wanted
        .filter(({ needle }) => bytes.includes(needle))
        .map(({ value, dress }) => ({ file: file.slice(folder.length + 1), value, dress }));
    });
}
