import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemCodeOf } from '../../terminal/exit.js';

export interface Wanted {
  readonly field: string;
  readonly text: string;
}

export interface Searched {
  readonly files: number;
  readonly bytes: number;
  /** The file (relative to the folder) and the field of each value found; never the value itself. */
  readonly found: readonly { readonly file: string; readonly field: string }[];
}

const CHUNK = 4 * 1024 * 1024;

/** The base64 characters that depend on these bytes alone when `before` other bytes come first. */
function base64After(bytes: Buffer, before: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * 4) / 3);
  const last = Math.floor(((before + bytes.length) * 4) / 3);
  return Buffer.from(text.slice(first, last));
}

/** The encodings in which a text may occur in a file: plain, JSON-escaped, and base64 at each alignment. */
function formsOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const escaped = Buffer.from(JSON.stringify(text).slice(1, -1));
  return [bytes, escaped, ...[0, 1, 2].map((before) => base64After(bytes, before))];
}

/** Null for a file that was deleted after it was listed, as drafts of letters are. */
function openThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** `buffer` has room for a chunk after the `overlap` bytes that are searched again. */
function searchFile(
  file: number,
  needles: readonly { readonly field: string; readonly forms: readonly Buffer[] }[],
  overlap: number,
  buffer: Buffer,
): { readonly bytes: number; readonly fields: ReadonlySet<string> } {
  const fields = new Set<string>();
  let [kept, bytes] = [0, 0];
  try {
    for (;;) {
      const read = readSync(file, buffer, kept, CHUNK, null);
      if (read === 0) break;
      bytes += read;
      const part = buffer.subarray(0, kept + read);
      for (const { field, forms } of needles)
        if (forms.some((form) => part.includes(form))) fields.add(field);
      // The end is searched again with the next chunk, so that a match across the boundary is found.
      kept = Math.min(overlap, part.length);
      part.copy(buffer, 0, part.length - kept);
    }
  } finally {
    closeSync(file);
  }
  return { bytes, fields };
}

/** Searches the raw bytes of every file below the folder for the texts. */
export function searchFiles(folder: string, wanted: readonly Wanted[]): Searched {
  const needles = wanted.map(({ field, text }) => ({ field, forms: formsOf(text) }));
  const overlap = Math.max(1, ...needles.flatMap(({ forms }) => forms.map(({ length }) => length)));
  const buffer = Buffer.alloc(CHUNK + overlap);
  const found: { file: string; field: string }[] = [];
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const file = openThere(path);
    if (file === null) continue;
    const searched = searchFile(file, needles, overlap, buffer);
    files += 1;
    bytes += searched.bytes;
    for (const field of searched.fields) found.push({ file: relative(folder, path), field });
  }
  return { files, bytes, found };
}
