import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parseJson } from '@oja/platform';
import { z } from 'zod';
import { type Exit, failedExit, systemCodeOf, usageExit } from '../../terminal/exit.js';
import { onOutputFailed } from '../../terminal/output.js';
import { newDraft } from '../shared/temporary-folder.js';
import { type Source, STANDARD } from './source.js';

/** Characters that are collected before they are written. */
const CHUNK = 64 * 1024;

/** Writes JSON lines and hashes every byte. */
export interface LineWriter {
  line(value: unknown): Promise<void>;
  /** Writes the last line, made from the SHA-256 (hex) of everything before it. Returns the SHA-256. */
  end(trailerOf: (sha256: string) => object): Promise<string>;
}

function lineWriter(out: NodeJS.WritableStream, signal: AbortSignal): LineWriter {
  const hash = createHash('sha256');
  let chunk = '';
  async function flush(): Promise<void> {
    hash.update(chunk);
    const room = out.write(chunk);
    chunk = '';
    if (!room)
      await once(out, 'drain', { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    signal.throwIfAborted();
  }
  return {
    async line(value) {
      chunk += `${JSON.stringify(value)}\n`;
      if (chunk.length >= CHUNK) await flush();
    },
    async end(trailerOf) {
      await flush();
      const sha256 = hash.digest('hex');
      out.write(`${JSON.stringify(trailerOf(sha256))}\n`);
      return sha256;
    },
  };
}

/** Writes to standard output, all of it. @throws Exit 1 when its reader ends before, or it cannot be written to. */
async function toStandardOutput<T>(
  signal: AbortSignal,
  work: (writer: LineWriter) => Promise<T>,
): Promise<T> {
  const broken = new AbortController();
  const ended = onOutputFailed((error) => broken.abort(error));
  try {
    const result = await work(lineWriter(process.stdout, AbortSignal.any([signal, broken.signal])));
    await new Promise<void>((resolve) => {
      process.stdout.write('', (error) => {
        if (error) broken.abort(error);
        resolve();
      });
    });
    broken.signal.throwIfAborted();
    return result;
  } catch (error) {
    if (!broken.signal.aborted) throw error;
    const { reason } = broken.signal;
    const why = systemCodeOf(reason) === 'EPIPE' ? 'its reader has ended' : reason.message;
    throw failedExit(`Not all of the output could be written: ${why}.`);
  } finally {
    ended();
  }
}

const fileExistsExit = (file: string) =>
  usageExit(`${file} is there already: name another file or delete it.`);

/**
 * Writes a file that appears only when all of it is on disk, that only its owner can read, compressed when its name
 * ends in `.gz`; `-` is standard output. `dataDir` remembers its draft, which a killed process leaves.
 * @throws Exit 2 when the file exists or cannot be created; 1 when the disk is full.
 */
export async function writeWholeFile<T>(
  file: string,
  dataDir: string,
  signal: AbortSignal,
  work: (writer: LineWriter) => Promise<T>,
): Promise<T> {
  if (file === STANDARD) return toStandardOutput(signal, work);
  if (existsSync(file)) throw fileExistsExit(file);
  // Another process may be writing a file of that name as well.
  const { path: draft, forget } = newDraft(dataDir, file);
  try {
    return await writeDraft(file, draft, signal, work);
  } finally {
    forget();
  }
}

/** Writes the draft and gives it the name of the file, or deletes it. */
async function writeDraft<T>(
  file: string,
  draft: string,
  signal: AbortSignal,
  work: (writer: LineWriter) => Promise<T>,
): Promise<T> {
  const disk = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  await once(disk, 'open').catch((error: Error) => {
    const code = systemCodeOf(error);
    throw usageExit(
      code === 'ENOENT'
        ? `There is no folder ${dirname(resolve(file))}: make it, or name another file.`
        : `${file} cannot be written (${code ?? error.message}): name another file.`,
    );
  });
  const out: Transform = file.endsWith('.gz') ? createGzip() : new PassThrough();
  const written = pipeline(out, disk);
  // A disk that fills up stops the work, which may be waiting for the next page of the log just then.
  const broken = new AbortController();
  written.catch((error: unknown) => broken.abort(error));
  try {
    const result = await work(lineWriter(out, AbortSignal.any([signal, broken.signal])));
    out.end();
    await written;
    await sync(draft);
    if (existsSync(file)) throw fileExistsExit(file);
    await rename(draft, file);
    return result;
  } catch (error) {
    out.destroy();
    const cause: unknown = await written.then(
      () => null,
      (failure: unknown) => failure,
    );
    rmSync(draft, { force: true });
    if (['ENOSPC', 'EDQUOT'].includes(systemCodeOf(cause) ?? ''))
      throw failedExit(
        `There is no room left for ${file}: make some, and run the same command again; what was written of it is deleted.`,
      );
    // An error of the disk says more than the error of the destroyed stream.
    throw cause instanceof Error && 'syscall' in cause ? cause : error;
  }
}

async function sync(file: string): Promise<void> {
  const opened = await open(file, 'r+');
  await opened.sync().finally(() => opened.close());
}

/** A kind of file that `writeWholeFile` writes: the schemas of its lines, and its name in messages. */
export interface Format<H, L, T extends { readonly sha256: string }> {
  readonly name: string;
  /** The newest format that this release knows. */
  readonly format: number;
  readonly kind: string;
  readonly header: z.ZodType<H>;
  readonly line: z.ZodType<L>;
  readonly trailer: z.ZodType<T>;
  /** The message for another kind of Oja's files, by its `kind`. */
  readonly instead: Readonly<Record<string, string>>;
}

export interface Checked<H, T> {
  readonly header: H;
  readonly trailer: T;
}

const begun = z.object({ kind: z.string(), format: z.number() });

const damagedFileExit = (source: Source, what: string, why: string) =>
  usageExit(`${source.name} is not a complete ${what}: ${why}; nothing was imported.`);

/**
 * Reads a whole file and checks each line and the checksum. `counted`: gets every line, and then says whether the
 * trailer's counts fit. @throws Exit 2 when the file is damaged, cut short or of another kind.
 */
export async function checkWholeFile<H, L, T extends { readonly sha256: string }>(
  source: Source,
  format: Format<H, L, T>,
  signal: AbortSignal,
  counted: { add(line: L): void; fits(trailer: T): boolean },
): Promise<Checked<H, T>> {
  const hash = createHash('sha256');
  let first: { readonly header: H } | null = null;
  let lines = 0;
  let checked: Checked<H, T> | null = null;
  const no = (why: string) => damagedFileExit(source, format.name, why);
  try {
    for await (const text of source.lines()) {
      signal.throwIfAborted();
      const value = parseJson(text);
      lines += 1;
      // Whoever reads the lines later would take what no checksum covers.
      if (checked !== null) throw no(`line ${lines} comes after its end`);
      if (first === null) first = { header: headerOf(value, format, no) };
      else {
        const end = format.trailer.safeParse(value);
        if (end.success) {
          if (end.data.sha256 !== hash.digest('hex') || !counted.fits(end.data))
            throw no('its checksum does not match');
          checked = { header: first.header, trailer: end.data };
          continue;
        }
        const line = format.line.safeParse(value);
        if (!line.success) throw no(`line ${lines} does not belong to it`);
        counted.add(line.data);
      }
      hash.update(`${text}\n`);
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    throw no(`it cannot be read (${code})`);
  }
  if (checked === null) throw no('its end is missing');
  return checked;
}

function headerOf<H, L, T extends { readonly sha256: string }>(
  value: unknown,
  { header, kind, format, name, instead }: Format<H, L, T>,
  no: (why: string) => Exit,
): H {
  const start = begun.safeParse(value);
  const other = start.success ? instead[start.data.kind] : undefined;
  if (other !== undefined) throw usageExit(other);
  if (start.success && start.data.kind === kind && start.data.format > format)
    throw no(`it was made by a later release (format ${start.data.format})`);
  const known = header.safeParse(value);
  if (!known.success) throw no(`its first line is not that of an ${name.split(' ')[0]}`);
  return known.data;
}

/** The lines of a file that `checkWholeFile` has checked; anything else, such as header and trailer, is skipped. */
export async function* readLines<H, L, T extends { readonly sha256: string }>(
  source: Source,
  { line }: Format<H, L, T>,
): AsyncGenerator<L> {
  for await (const text of source.lines()) {
    const read = line.safeParse(parseJson(text));
    if (read.success) yield read.data;
  }
}
