import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Exit, exitCodes } from '../../market/exit.js';
import { type Header, header, type Line, line, type Trailer, trailer } from './format.js';

const unreadable = (file: string, why: string) =>
  new Exit(exitCodes.usage, `${file} is no whole export of Oja: ${why}; nothing was imported.`);

async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(file, { encoding: 'utf8' })) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Checked {
  readonly header: Header;
  readonly trailer: Trailer;
}

/**
 * Reads a whole export, and each of its events, before anything of it is believed.
 * @throws Exit 2 where it is damaged, cut short or something else.
 */
export async function checkExport(file: string, signal: AbortSignal): Promise<Checked> {
  const hash = createHash('sha256');
  let first: Header | null = null;
  let events = 0;
  try {
    for await (const text of linesOf(file)) {
      signal.throwIfAborted();
      const value = parsed(text);
      if (first === null) {
        const begun = header.safeParse(value);
        if (!begun.success) throw unreadable(file, 'its first line is not that of an export');
        first = begun.data;
      } else {
        const end = trailer.safeParse(value);
        if (end.success) {
          if (end.data.sha256 !== hash.digest('hex') || end.data.events !== events)
            throw unreadable(file, 'its checksum does not fit');
          return { header: first, trailer: end.data };
        }
        const event = line.safeParse(value);
        if (!event.success) throw unreadable(file, `line ${events + 2} is no event`);
        events += 1;
      }
      hash.update(`${text}\n`);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string')
      throw unreadable(file, `it cannot be read (${error.code})`);
    throw error;
  }
  throw unreadable(file, 'its end is missing');
}

/** The events of an export that was checked. */
export async function* eventsIn(file: string): AsyncGenerator<Line> {
  for await (const text of linesOf(file)) {
    const event = line.safeParse(parsed(text));
    if (event.success) yield event.data;
  }
}
