import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { isAtLeast, logLineIn } from '../shared/log-line.js';

/** What is read of each log file, from its end. */
const TAIL_BYTES = 256 * 1024;

/** Also what was put aside last: a new file has nothing to tell yet. */
const LOGS = /\.log(\.1)?$/;

type LoggedError = NonNullable<Answer<'status'>['lastError']>;

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

function errorIn(text: string): LoggedError | null {
  if (!text.includes('"level":"error"') && !text.includes('"level":"fatal"')) return null;
  const line = logLineIn(text);
  if (line === null || !isAtLeast(line.level, 'error')) return null;
  const { time, service, msg, model = null, error } = line;
  return { time, service, message: error === undefined ? msg : `${msg}: ${error}`, model };
}

/** The errors at the end of the log files of this data folder. */
export function loggedErrors(dataDir: string): readonly LoggedError[] {
  const folder = join(dataDir, files.logs);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => LOGS.test(name))
    .flatMap((name) => tailOf(join(folder, name)).split('\n'))
    .flatMap((text) => errorIn(text) ?? []);
}

export const newestFirst = (errors: readonly LoggedError[]): readonly LoggedError[] =>
  errors.toSorted((a, b) => (a.time < b.time ? 1 : -1));
