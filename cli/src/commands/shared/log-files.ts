import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../terminal/exit.js';

/** `market.log` is the file being written; `market.log.1` is the newest rotated file. */
const NAMED = /^(.+\.log)(?:\.(\d+))?$/;

/** The names of the logs in a folder, without their rotated files; empty when there is no folder. */
export function logNames(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((name) => NAMED.exec(name)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** A file of a log as it was when opened. It is read by its descriptor, so a later rotation does not matter. */
interface OpenFile {
  readonly file: number;
  /** The inode, which stays the same when the file is renamed. */
  readonly id: bigint;
  readonly size: number;
}

interface OpenFiles {
  /** The oldest first. */
  readonly found: readonly OpenFile[];
  /** Whether there is a file that this user may not read: it is left out. */
  readonly isForbidden: boolean;
}

/** All files of one log. */
function openLogFiles(folder: string, name: string): OpenFiles {
  const aside = readdirSync(folder).flatMap((each) => {
    const [, log, number] = NAMED.exec(each) ?? [];
    return log === name && number !== undefined ? [Number(number)] : [];
  });
  const found: OpenFile[] = [];
  let isForbidden = false;
  // The newest first: a file that is rotated meanwhile is met twice (and skipped), but none is missed.
  for (const each of [name, ...aside.sort((a, b) => a - b).map((n) => `${name}.${n}`)])
    try {
      const file = openSync(join(folder, each), 'r');
      const { ino, size } = fstatSync(file, { bigint: true });
      if (found.some(({ id }) => id === ino)) closeSync(file);
      else found.unshift({ file, id: ino, size: Number(size) });
    } catch (error) {
      // Otherwise it was rotated just now.
      isForbidden ||= systemCodeOf(error) === 'EACCES';
    }
  return { found, isForbidden };
}

const CHUNK_BYTES = 65_536;
/** A longer line is not one of ours, and comes in pieces. */
const MAX_LINE_BYTES = 1_000_000;
const NEWLINE = 0x0a;

function chunkOf(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/** The lines between two byte offsets of a file, with one chunk in memory at a time. */
function* linesBetween(file: number, from: number, to: number): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let at = from; at < to; ) {
    const bytes = chunkOf(file, at, Math.min(CHUNK_BYTES, to - at));
    if (bytes.length === 0) break;
    at += bytes.length;
    rest = Buffer.concat([rest, bytes]);
    let begin = 0;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, begin)) {
      if (end > begin) yield rest.toString('utf8', begin, end);
      begin = end + 1;
    }
    rest = rest.subarray(begin);
    if (rest.length < MAX_LINE_BYTES) continue;
    yield rest.toString();
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield rest.toString();
}

/** The lines before a byte offset of a file, the last first, with one chunk in memory at a time. */
function* linesBefore(file: number, to: number): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let at = to; at > 0; ) {
    const length = Math.min(CHUNK_BYTES, at);
    at -= length;
    rest = Buffer.concat([chunkOf(file, at, length), rest]);
    let end = rest.length;
    while (end > 0) {
      const before = rest.lastIndexOf(NEWLINE, end - 1);
      if (before === -1) break;
      if (end > before + 1) yield rest.toString('utf8', before + 1, end);
      end = before;
    }
    rest = rest.subarray(0, end);
    if (rest.length < MAX_LINE_BYTES) continue;
    yield rest.toString();
    rest = Buffer.alloc(0);
  }
  if (rest.length > 0) yield rest.toString();
}

/** The offset after the last newline: text beyond it is still being written, or was cut off. */
function endOfLines({ file, size }: OpenFile, from: number): number {
  for (let at = size; at > from; ) {
    const length = Math.min(CHUNK_BYTES, at - from);
    at -= length;
    const last = chunkOf(file, at, length).lastIndexOf(NEWLINE);
    if (last !== -1) return at + last + 1;
  }
  return from;
}

/** One log of a process with its rotated files, as they were when opened. */
export interface ProcessLog {
  readonly name: string;
  /** Whether lines are missing because this user may not read a file. */
  readonly isForbidden: boolean;
  /** All lines, the first line first. */
  lines(): Generator<string>;
  /** All lines, the last line first; reads only as much of the files as the caller takes. */
  linesBack(): Generator<string>;
  /** The lines written since the log was opened, or since the last call, however often it was rotated meanwhile. */
  linesSince(): Generator<string>;
  close(): void;
}

/** All lines of all logs in a folder, one log after the other, the first line of each first. */
export function* linesOfAll(folder: string): Generator<string> {
  for (const name of logNames(folder)) {
    const log = openLog(folder, name);
    try {
      yield* log.lines();
    } finally {
      log.close();
    }
  }
}

/**
 * Opens a log of a folder. With `followed`, a last line without a newline is left to `linesSince`; otherwise it
 * counts as a line. With `fresh`, `linesSince` gives all lines.
 */
export function openLog(
  folder: string,
  name: string,
  { followed = false, fresh = false } = {},
): ProcessLog {
  const { found: files, isForbidden } = openLogFiles(folder, name);
  const newest = files.at(-1);
  const end = newest === undefined ? 0 : followed ? endOfLines(newest, 0) : newest.size;
  const endOf = (each: OpenFile) => (each === newest ? end : each.size);
  let last = fresh || newest === undefined ? null : { id: newest.id, at: end };
  return {
    name,
    isForbidden,
    *lines() {
      for (const each of files) yield* linesBetween(each.file, 0, endOf(each));
    },
    *linesBack() {
      for (const each of files.toReversed()) yield* linesBefore(each.file, endOf(each));
    },
    *linesSince() {
      const { found: now } = openLogFiles(folder, name);
      try {
        const known = now.findIndex(({ id }) => id === last?.id);
        // When the last known file was deleted by rotation, all files that exist are newer.
        for (const each of now.slice(Math.max(0, known))) {
          // A file that has become shorter was truncated and written anew.
          const at = each.id === last?.id && last.at <= each.size ? last.at : 0;
          const until = each === now.at(-1) ? endOfLines(each, at) : each.size;
          yield* linesBetween(each.file, at, until);
          last = { id: each.id, at: until };
        }
      } finally {
        for (const { file } of now) closeSync(file);
      }
    },
    close() {
      for (const { file } of files) closeSync(file);
    },
  };
}
