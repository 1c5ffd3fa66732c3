import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** `market.log` is written; `market.log.1` is the newest of those that were put aside. */
const NAMED = /^(.+\.log)(?:\.(\d+))?$/;

/** The names of the logs in a folder, without what was put aside of each; none where there is no folder. */
export function logNames(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((name) => NAMED.exec(name)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** A file of a log as it was when it was opened. Its lines are read from the file itself, also when it was put aside since. */
interface OpenFile {
  readonly file: number;
  /** The same for a file wherever it is put. */
  readonly id: bigint;
  readonly size: number;
}

/** All files of one log, the oldest first. */
function opened(folder: string, name: string): readonly OpenFile[] {
  const aside = readdirSync(folder).flatMap((each) => {
    const [, log, number] = NAMED.exec(each) ?? [];
    return log === name && number !== undefined ? [Number(number)] : [];
  });
  const found: OpenFile[] = [];
  // The newest first: one that is put aside meanwhile is met twice, and none is missed.
  for (const each of [name, ...aside.sort((a, b) => a - b).map((n) => `${name}.${n}`)])
    try {
      const file = openSync(join(folder, each), 'r');
      const { ino, size } = fstatSync(file, { bigint: true });
      if (found.some(({ id }) => id === ino)) closeSync(file);
      else found.unshift({ file, id: ino, size: Number(size) });
    } catch {
      // It was put aside just now, or is not for us to read.
    }
  return found;
}

const CHUNK_BYTES = 65_536;
/** What is longer is no line of ours, and is told in pieces. */
const MAX_LINE_BYTES = 1_000_000;
const NEWLINE = 0x0a;

function chunkOf(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/** The lines between two bytes of a file, one chunk in memory. */
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

/** The lines before a byte of a file, the last first, one chunk in memory. */
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

/** After the last line of a file that has its end: what follows is still being written, or was cut. */
function endOfLines({ file, size }: OpenFile, from: number): number {
  for (let at = size; at > from; ) {
    const length = Math.min(CHUNK_BYTES, at - from);
    at -= length;
    const last = chunkOf(file, at, length).lastIndexOf(NEWLINE);
    if (last !== -1) return at + last + 1;
  }
  return from;
}

/** One log of a process, with what was put aside of it, as it was when it was opened. */
export interface ProcessLog {
  readonly name: string;
  /** From the first line on. */
  lines(): Generator<string>;
  /** From the last line back: of a large log only what is asked for is read. */
  linesBack(): Generator<string>;
  /** The lines that were written since it was opened, or since the last call, however often it was put aside meanwhile. */
  linesSince(): Generator<string>;
  close(): void;
}

/** All lines of all logs of a folder as they are now, each log from its first line on. */
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
 * Opens a log of a folder. With `followed` a last line without its end is left to `linesSince`; otherwise it is
 * the last line. With `fresh` all lines are left to it.
 */
export function openLog(
  folder: string,
  name: string,
  { followed = false, fresh = false } = {},
): ProcessLog {
  const files = opened(folder, name);
  const newest = files.at(-1);
  const end = newest === undefined ? 0 : followed ? endOfLines(newest, 0) : newest.size;
  const endOf = (each: OpenFile) => (each === newest ? end : each.size);
  let last = fresh || newest === undefined ? null : { id: newest.id, at: end };
  return {
    name,
    *lines() {
      for (const each of files) yield* linesBetween(each.file, 0, endOf(each));
    },
    *linesBack() {
      for (const each of files.toReversed()) yield* linesBefore(each.file, endOf(each));
    },
    *linesSince() {
      const now = opened(folder, name);
      try {
        const known = now.findIndex(({ id }) => id === last?.id);
        // One that is known no longer was let go: all there is of it is newer.
        for (const each of now.slice(Math.max(0, known))) {
          // A file that is shorter than it was is written anew.
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
