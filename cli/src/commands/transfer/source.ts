import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline as through } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Standard input or output, as other programs call it. */
export const STANDARD = '-';

/** Something that is read more than once, from its beginning each time. */
export interface Source {
  /** As it was named, for sentences. */
  readonly name: string;
  /** Its lines, unpacked. @throws an error with a `code` where it cannot be read. */
  lines(): AsyncIterable<string>;
  /** Ends what was kept of it. */
  dispose(): void;
}

/**
 * Opens a file, or standard input as `-`; packed by gzip or not. What can be read only once (a pipe) is
 * kept in a file of its own, its owner's alone, until it is disposed of.
 */
export async function openSource(named: string, signal: AbortSignal): Promise<Source> {
  if (!isReadOnce(named))
    return { name: named, lines: () => linesIn(named), dispose: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'oja-'));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  const file = join(folder, 'kept');
  try {
    const from = named === STANDARD ? process.stdin : createReadStream(named);
    await pipeline(from, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    name: named === STANDARD ? 'standard input' : named,
    lines: () => linesIn(file),
    dispose,
  };
}

/** Pipes and devices; what is not there is told of by whoever reads it. */
function isReadOnce(named: string): boolean {
  if (named === STANDARD) return true;
  const found = statSync(named, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** How everything that gzip has packed begins. */
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
  // Asked first: a file that is not there fails here, where somebody waits for it.
  const packed = isPacked(file);
  const raw = createReadStream(file);
  // Whoever reads on is told of every failure; here nobody waits for it.
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
