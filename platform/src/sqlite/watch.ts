import { type FSWatcher, watch as watchFile } from 'node:fs';
import { resolve } from 'node:path';
import { openSql, type Sql } from './sql.js';

/** How often files are polled for other processes' commits while there are any. */
const pollEveryMs = 10;
/** After so long without a commit, polling rests. A poll costs some microseconds, but hundreds a second add up. */
const restAfterMs = 1_000;
/** How often files are polled at rest: some file systems, such as folders shared with a container, notify nobody. */
const restPollEveryMs = 1_000;

interface Watched {
  readonly file: string;
  readonly sql: Sql;
  readonly listeners: Set<() => void>;
  version: number;
  isTouched: boolean;
  /** The system's notices of writes, at rest alone: a busy file would get hundreds. */
  writeWatcher: FSWatcher | null;
}

const watched = new Map<string, Watched>();
let timer: NodeJS.Timeout | null = null;
let isResting = false;
let changedAt = 0;

/** Polls once. Returns whether any file has changed. */
function poll(): boolean {
  let isChanged = false;
  for (const file of watched.values()) {
    const before = file.version;
    file.version = versionOf(file);
    if (file.version === before) continue;
    isChanged = true;
    notify(file);
  }
  if (isChanged) changedAt = performance.now();
  return isChanged;
}

function versionOf({ sql }: Watched): number {
  try {
    return sql.dataVersion();
  } catch {
    // Listeners read the file themselves, and meet the error where it can be reported.
    return -1;
  }
}

function notify({ listeners }: Watched): void {
  for (const listener of [...listeners]) listener();
}

function stop(): void {
  if (timer) clearInterval(timer);
  timer = null;
}

function pollEvery(ms: number, onTick: () => void): void {
  stop();
  // A listener may have ended the last watch.
  if (watched.size > 0) timer = setInterval(onTick, ms).unref();
}

function pollOften(): void {
  isResting = false;
  changedAt = performance.now();
  for (const file of watched.values()) unwatchWrites(file);
  pollEvery(pollEveryMs, () => {
    poll();
    if (performance.now() - changedAt >= restAfterMs) pollRarely();
  });
}

function pollRarely(): void {
  isResting = true;
  for (const file of watched.values()) watchWrites(file);
  pollEvery(restPollEveryMs, () => poll() && pollOften());
  // A commit before the notices began gave none.
  if (poll()) pollOften();
}

/** Lets a write to the file end the rest. Commits are first written to the log beside it. */
function watchWrites(file: Watched): void {
  try {
    file.writeWatcher = watchFile(`${file.file}-wal`, { persistent: false }, () => {
      poll();
      if (isResting) pollOften();
    });
    file.writeWatcher.on('error', () => unwatchWrites(file));
  } catch {
    file.writeWatcher = null;
  }
}

function unwatchWrites(file: Watched): void {
  file.writeWatcher?.close();
  file.writeWatcher = null;
}

function openWatched(file: string): Watched {
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  const version = sql.dataVersion();
  const entry = {
    file,
    sql,
    listeners: new Set<() => void>(),
    version,
    isTouched: false,
    writeWatcher: null,
  };
  watched.set(file, entry);
  pollOften();
  return entry;
}

/**
 * Calls `onChange` after any commit to the file, in this process or another; sometimes also without one. All
 * watchers share one timer, and one connection per file; the timer does not keep the process alive. Returns
 * the function that ends the watch. @throws Error when the file does not exist.
 */
export function watch(file: string, onChange: () => void): () => void {
  const key = resolve(file);
  const entry = watched.get(key) ?? openWatched(key);
  const { sql, listeners } = entry;
  // A new function for each call, so that the same `onChange` can watch twice.
  const listener = () => onChange();
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    watched.delete(key);
    unwatchWrites(entry);
    sql.close();
    if (watched.size === 0) stop();
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
    notify(entry);
  });
}
