import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '@oja/platform';
import { z } from 'zod';

/** What is read of each log file, from its end. */
const TAIL_BYTES = 256 * 1024;

/** Also what was put aside last: a new file has nothing to tell yet. */
const LOGS = /\.log(\.1)?$/;

const line = z.looseObject({
  level: z.enum(['error', 'fatal']),
  time: z.string(),
  service: z.string(),
  msg: z.string(),
  model: z.string().optional(),
  error: z.string().optional(),
});

export interface LoggedError {
  readonly time: string;
  readonly service: string;
  readonly message: string;
  /** The generation key, where it is about a read model. */
  readonly model: string | null;
}

function tailOf(path: string): string {
  const { size } = statSync(path);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
  } finally {
    closeSync(file);
  }
  return bytes.toString();
}

function parsed(text: string): LoggedError | null {
  if (!text.includes('"level":"error"') && !text.includes('"level":"fatal"')) return null;
  try {
    const { time, service, msg, model = null, error } = line.parse(JSON.parse(text));
    return { time, service, message: error === undefined ? msg : `${msg}: ${error}`, model };
  } catch {
    // The first line of a tail is cut.
    return null;
  }
}

/** The errors at the end of the log files of this data folder. */
export function loggedErrors(dataDir: string): readonly LoggedError[] {
  const folder = join(dataDir, files.logs);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => LOGS.test(name))
    .flatMap((name) => tailOf(join(folder, name)).split('\n'))
    .flatMap((text) => parsed(text) ?? []);
}

export const newestFirst = (errors: readonly LoggedError[]): readonly LoggedError[] =>
  errors.toSorted((a, b) => (a.time < b.time ? 1 : -1));
