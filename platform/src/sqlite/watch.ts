import { resolve } from 'node:path';
import { openSql, type Sql } from './sql.js';

/** How often files are polled for other processes' commits; a poll costs some microseconds. */
const lookEveryMs = 10;

interface Watched {
  readonly sql: Sql;
  readonly listeners: Set<() => void>;
  version: number;
  isTouched: boolean;
}

const watched = new Map<string, Watched>();
let timer: NodeJS.Timeout | null = null;

function look(): void {
  for (const file of watched.values()) {
    const before = file.version;
    file.version = versionOf(file);
    if (file.version !== before) tell(file);
  }
}

function versionOf({ sql }: Watched): number {
  try {
    return sql.dataVersion();
  } catch {
    // Listeners read the file themselves, and meet the error where it can be reported.
    return -1;
  }
}

function tell({ listeners }: Watched): void {
  for (const listener of [...listeners]) listener();
}

/**
 * Calls `onChange` after any commit to the file, in this process or another; sometimes also without one. All
 * watchers share one timer, and one connection per file; the timer does not keep the process alive. Returns
 * the function that ends the watch. @throws Error when the file does not exist.
 */
export function watch(file: string, onChange: () => void): () => void {
  const key = resolve(file);
  let entry = watched.get(key);
  if (!entry) {
    const sql = openSql(key, { readonly: true, synchronous: 'FULL' });
    entry = { sql, listeners: new Set(), version: sql.dataVersion(), isTouched: false };
    watched.set(key, entry);
  }
  timer ??= setInterval(look, lookEveryMs).unref();
  const { sql, listeners } = entry;
  // A new function for each call, so that the same `onChange` can watch twice.
  const listener = () => onChange();
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    watched.delete(key);
    sql.close();
    if (watched.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/**
 * Notifies the file's watchers in this process now instead of at the next poll: once for all commits whose replies
 * arrived together, and not again at that poll.
 */
export function notifyWatchers(file: string): void {
  const entry = watched.get(resolve(file));
  if (entry === undefined || entry.isTouched) return;
  entry.isTouched = true;
  process.nextTick(() => {
    entry.isTouched = false;
    // Read before the notification: the next poll then notices any commit made after it.
    if (entry.listeners.size > 0) entry.version = versionOf(entry);
    tell(entry);
  });
}
