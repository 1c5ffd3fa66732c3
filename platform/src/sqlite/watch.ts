import { resolve } from 'node:path';
import { openSql, type Sql } from './sql.js';

/** Other processes' commits are noticed within this time; a look costs some microseconds. */
const lookEveryMs = 10;

interface Watched {
  readonly sql: Sql;
  readonly listeners: Set<() => void>;
  version: number;
}

const watched = new Map<string, Watched>();
let timer: NodeJS.Timeout | null = null;

function look(): void {
  for (const file of watched.values()) {
    const before = file.version;
    try {
      file.version = file.sql.dataVersion();
    } catch {
      // Listeners read for themselves, and meet the error where it can be told.
      file.version = -1;
    }
    if (file.version !== before) for (const listener of [...file.listeners]) listener();
  }
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
    entry = { sql, listeners: new Set(), version: sql.dataVersion() };
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

/** Tells those who watch the file in this process at once, instead of at the next look. */
export function touch(file: string): void {
  for (const listener of [...(watched.get(resolve(file))?.listeners ?? [])]) listener();
}
