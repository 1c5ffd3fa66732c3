import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, pipeline as through } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { INPUT_PREFIX, temporaryFolder } from '../shared/temporary-folder.js';

/** Stands for standard input or output, as in other programs. */
export const STANDARD = '-';

/** An input that can be read several times, each time from its beginning. */
export interface Source {
  /** Its name in messages. */
  readonly name: string;
  /** Its lines, decompressed. @throws an error with a `code` when it cannot be read. */
  lines(): AsyncIterable<string>;
  /** Deletes the temporary copy, if there is one. */
  dispose(): void;
}

/**
 * Opens a file, or standard input as `-`; compressed by gzip or not. A pipe can be read only once, so it is copied to
 * a temporary file that only its owner can read, until `dispose`. @throws the signal's reason.
 */
export async function openSource(named: string, signal: AbortSignal): Promise<Source> {
  if (!isReadOnce(named))
    return { name: named, lines: () => linesIn(named), dispose: () => undefined };
  const folder = temporaryFolder(tmpdir(), INPUT_PREFIX);
  const dispose = () => folder.remove();
  const file = join(folder.path, 'kept');
  try {
    await pipeline(readOnce(named), createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    dispose();
    signal.throwIfAborted();
    throw error;
  }
  return {
    name: named === STANDARD ? 'standard input' : named,
    lines: () => linesIn(file),
    dispose,
  };
}

/** Whether this is a pipe or a device. A file that does not exist is reported when it is read. */
function isReadOnce(named: string): boolean {
  if (named === STANDARD) return true;
  const found = statSync(named, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * A pipe is opened without waiting for a writer: Node waits in a thread that nothing can interrupt, so neither Ctrl-C
 * nor process.exit() would end the process.
 */
function readOnce(named: string): Readable {
  if (named === STANDARD) return process.stdin;
  if (!statSync(named).isFIFO()) return createReadStream(named);
  return new Socket({
    fd: openSync(named, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
}

/** The first bytes of every gzip file. */
const PACKED = Buffer.from([0x1f, 0x8b]);

function isPacked(file: string): boolean {
  const opened = openSync(file, 'r');
  try {
    const begin = Buffer.alloc(PACKED.length);
    readSync(opened, begin);
    return begin.equals(PACKED);
  } finally {
    closeSync(opened);
  }
}

async function* linesIn(file: string): AsyncGenerator<string> {
  // Checked first: a missing file fails here, where the caller gets the error.
  const packed = isPacked(file);
  const raw = createReadStream(file);
  // The loop below gets every failure, so the callback ignores it.
  const bytes = packed ? through(raw, createGunzip(), () => undefined) : raw;
  bytes.setEncoding('utf8');
  let rest = '';
  for await (const part of bytes) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
