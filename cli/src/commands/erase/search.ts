import { accessSync, closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
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
  /** Files and folders (relative to the folder) that could not be read. */
  readonly unsearched: readonly string[];
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
function searchForms(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const escaped = Buffer.from(JSON.stringify(text).slice(1, -1));
  return [bytes, escaped, ...[0, 1, 2].map((before) => base64After(bytes, before))];
}

/** Null, and the path is added to `failed`, when it cannot be read; null alone when it was deleted meanwhile. */
function tryPath<T>(path: string, failed: string[], work: (path: string) => T): T | null {
  try {
    return work(path);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    // As drafts of letters are.
    if (code !== 'ENOENT') failed.push(path);
    return null;
  }
}

/** The paths of every file below the folder; those of folders that cannot be read are added to `failed`. */
function* filesBelow(folder: string, failed: string[]): Generator<string> {
  const entries = tryPath(folder, failed, (path) => readdirSync(path, { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, failed);
    else if (entry.isFile()) yield path;
  }
}

/** The files and folders below the folder, by their paths in it, that this user may not read. */
export function unreadable(folder: string): readonly string[] {
  const failed: string[] = [];
  for (const path of filesBelow(folder, failed))
    tryPath(path, failed, () => accessSync(path, constants.R_OK));
  return failed.map((path) => relative(folder, path));
}

/** `buffer` has room for a chunk after the `overlap` bytes that are searched again. */
function searchFile(
  path: string,
  needles: readonly { readonly field: string; readonly forms: readonly Buffer[] }[],
  overlap: number,
  buffer: Buffer,
): { readonly bytes: number; readonly fields: ReadonlySet<string> } {
  const fields = new Set<string>();
  let [kept, bytes] = [0, 0];
  const file = openSync(path, 'r');
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
  const needles = wanted.map(({ field, text }) => ({ field, forms: searchForms(text) }));
  const overlap = Math.max(1, ...needles.flatMap(({ forms }) => forms.map(({ length }) => length)));
  const buffer = Buffer.alloc(CHUNK + overlap);
  const found: { file: string; field: string }[] = [];
  const failed: string[] = [];
  let [files, bytes] = [0, 0];
  for (const path of filesBelow(folder, failed)) {
    const searched = tryPath(path, failed, () => searchFile(path, needles, overlap, buffer));
    if (searched === null) continue;
    files += 1;
    bytes += searched.bytes;
    for (const field of searched.fields) found.push({ file: relative(folder, path), field });
  }
  return { files, bytes, found, unsearched: failed.map((path) => relative(folder, path)) };
}
