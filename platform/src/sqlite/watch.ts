import { resolve } from 'node:path';
import { openSql, type Sql } from './sql.js';

/** Other processes' commits are noticed within this time; a look costs some microseconds. */
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
    // Listeners read for themselves, and meet the error where it can be told.
    return -1;
  }
}

function tell({ listeners }: Watched): void {
  for (const listener of [...listeners]) listener();
}

/**
 * Calls `onChange` after anybody, in this process or another, has committed to the file; sometimes
 * without need. One connection a file and one timer serve everybody who watches; the timer does not
 * keep the process alive. Returns what ends it.
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
  // A listener of its own for each call, even when the same function watches twice.
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
 * Tells those who watch the file in this process at once, instead of at the next look: of all that was answered
 * together once, and not again at that look.
 */
export function touch(file: string): void {
  const entry = watched.get(resolve(file));
  if (entry === undefined || entry.isTouched) return;
  entry.isTouched = true;
  process.nextTick(() => {
    entry.isTouched = false;
    // Read before they are told: what comes after it they are told of at the next look.
    if (entry.listeners.size > 0) entry.version = versionOf(entry);
    tell(entry);
  });
}
