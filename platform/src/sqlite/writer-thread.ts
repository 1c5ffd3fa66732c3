import { rmSync, writeFileSync } from 'node:fs';
import { isMainThread, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { messageOf } from '../message-of.js';
import {
  applySchema,
  beginWithRetry,
  lockTimeoutMs,
  unusableMessage,
  writerTimeoutMs,
} from './prepare.js';
import {
  type FromThread,
  type FromWriter,
  spareBytes,
  type ToThread,
  type ToWriter,
  type WriteOperations,
  type WriteReply,
  type WriteRequest,
  type WriterModule,
  type WriterSettings,
} from './protocol.js';
import { isBroken, isBusy, isFull, openSql, type Sql } from './sql.js';

/** The most requests in one transaction, so that other processes do not wait long for the lock. */
const maxGroup = 1_000;
const truncateRetryMs = 10;
/** How often a full disk is checked for room again. */
const spaceCheckMs = 1_000;
const sparePages = 16;

/** Nothing was acknowledged, and nothing more may be written; after a full disk, not until there is room. */
class BrokenStore extends Error {
  override readonly name = 'BrokenStore';
  readonly isFull: boolean;

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.isFull = isFull(cause);
  }
}

/** A file that this thread writes to. */
interface OwnedFile {
  take(message: ToWriter): void;
  /** Commits up to `maxGroup` of the requests that wait. Returns whether there were any. */
  writeSome(): boolean;
  /** What is done once no request waits: emptying the WAL, and closing. Returns whether the file is closed. */
  finish(): boolean;
}

/** The requests to empty a file's WAL. */
interface Truncations {
  ask(id: number, until: number): void;
  /**
   * Answers those that succeeded, or whose time is over, and comes back for the others. `empty` returns whether no reader
   * was in the way, or why nothing more is written.
   */
  tryNow(empty: () => boolean | Stopped): void;
  waiting(): boolean;
}

/** A reader with an old snapshot keeps a WAL from being emptied, so it is retried until the deadline; writes go on. */
function createTruncations(send: (message: FromWriter) => void, work: () => void): Truncations {
  let asked: Truncation[] = [];
  let timer: NodeJS.Timeout | null = null;
  return {
    ask(id, until) {
      asked.push({ id, until });
    },
    tryNow(empty) {
      if (timer) clearTimeout(timer);
      timer = null;
      if (asked.length === 0) return;
      const answered = truncationReplies(asked, empty());
      const answeredIds = new Set(answered.map(({ id }) => id));
      asked = asked.filter(({ id }) => !answeredIds.has(id));
      if (answered.length > 0) send({ kind: 'replies', replies: answered });
      if (asked.length > 0) timer = setTimeout(work, truncateRetryMs);
    },
    waiting: () => asked.length > 0,
  };
}

/** Opens a file for writing; requests that arrive meanwhile wait. `work` is called when there is something to do again. */
function ownFile(
  settings: WriterSettings,
  send: (message: FromWriter) => void,
  work: () => void,
): OwnedFile {
  let opened: { readonly sql: Sql; readonly module: WriterModule } | null = null;
  let isUnusable = false;
  let stopped: Stopped | null = null;
  let roomTimer: NodeJS.Timeout | null = null;
  let closing = false;
  const waiting: WriteRequest[] = [];
  const truncations = createTruncations(send, work);

  async function open(): Promise<void> {
    try {
      const module = (await import(settings.module)) as WriterModule;
      const sql = openSql(settings.file, { ...settings, busyTimeoutMs: writerTimeoutMs });
      rmSync(probeOf(settings.file), { force: true });
      applySchema(sql, settings.file, module.schema);
      opened = { sql, module };
      send({ kind: 'ready' });
    } catch (error) {
      isUnusable = true;
      send({ kind: 'unusable', message: unusableMessage(settings.file, error) });
    }
    work();
  }

  let isWaiting = settings.synchronous === 'FULL';

  /** Makes the commit wait for the disk if a request is `durable`. Earlier writes are then on disk too. */
  function waitForDisk(sql: Sql, group: readonly WriteRequest[]): void {
    if (settings.synchronous !== 'FULL') return;
    const isDue = group.some(({ durable }) => durable);
    if (isDue !== isWaiting) sql.exec(`PRAGMA synchronous = ${isDue ? 'FULL' : 'NORMAL'}`);
    isWaiting = isDue;
  }

  function write(
    { sql, module }: { readonly sql: Sql; readonly module: WriterModule },
    group: readonly WriteRequest[],
  ): readonly WriteReply[] {
    let why = stopped;
    if (why === null) {
      waitForDisk(sql, group);
      try {
        return runGroup(sql, module.operations, group);
      } catch (error) {
        why = stop(sql, error);
      }
    }
    const failed: Stopped = why;
    return group.map(({ id }) => ({ id, ok: false, ...failed }));
  }

  /** Takes no more writes after a failure of the disk; where it was full, until there is room. @throws any other error */
  function stop(sql: Sql, error: unknown): Stopped {
    if (!(error instanceof BrokenStore)) throw error;
    const message = `${settings.file} takes no more writes: ${error.message}`;
    stopped = { why: error.isFull ? 'full' : 'stopped', message };
    if (error.isFull) roomTimer ??= setInterval(() => lookForRoom(sql), spaceCheckMs);
    return stopped;
  }

  /** As `Truncations` asks for it. A WAL that the disk does not let be moved is as bad as a write that failed. */
  function tryToEmptyWal(sql: Sql): boolean | Stopped {
    if (stopped !== null) return stopped;
    try {
      return emptyWal(sql);
    } catch (error) {
      return stop(sql, error);
    }
  }

  function lookForRoom(sql: Sql): void {
    if (stopped?.why === 'full' && !hasSpareSpace(sql, settings)) return;
    endLooking();
    if (stopped?.why !== 'full') return;
    stopped = null;
    send({ kind: 'room' });
  }

  function endLooking(): void {
    if (roomTimer) clearInterval(roomTimer);
    roomTimer = null;
  }

  void open();
  return {
    take(message) {
      if (message.kind === 'write') waiting.push(message);
      else if (message.kind === 'truncate')
        truncations.ask(message.id, performance.now() + message.forMs);
      else if (message.kind === 'close') closing = true;
    },
    writeSome() {
      if (opened === null || waiting.length === 0) return false;
      send({ kind: 'replies', replies: write(opened, waiting.splice(0, maxGroup)) });
      return true;
    },
    finish() {
      if (opened === null) return isUnusable && closing;
      const { sql } = opened;
      truncations.tryNow(() => tryToEmptyWal(sql));
      if (!closing || truncations.waiting()) return false;
      // Whoever copies a closed market without its `-wal` files has everything. SQLite empties them by itself only
      // when the last connection of the process is freed. A reader in the way is not waited for: nothing is lost.
      sql.exec('PRAGMA busy_timeout = 0');
      tryToEmptyWal(sql);
      endLooking();
      sql.close();
      return true;
    },
  };
}

/** A thread that alone writes to its files. All requests of a file that wait are committed together. */
function main(): void {
  if (isMainThread || !parentPort) throw new Error('This module is a worker thread');
  const port = parentPort;
  const files = new Map<number, OwnedFile>();

  function take(messages: readonly ToThread[]): void {
    for (const message of messages) {
      const { file } = message;
      if (message.kind === 'open') {
        const send = (message: FromWriter) =>
          port.postMessage({ file, ...message } satisfies FromThread);
        files.set(file, ownFile(message.settings, send, work));
      } else files.get(file)?.take(message);
    }
  }

  /** Takes the messages that arrived while the last transaction ran. No timer, so a single write never waits. */
  function takeAllThatArrived(): void {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      take(next.message as readonly ToThread[]);
    }
  }

  function work(): void {
    for (let isBusy = true; isBusy; ) {
      takeAllThatArrived();
      isBusy = false;
      for (const file of files.values()) isBusy = file.writeSome() || isBusy;
    }
    for (const [number, file] of files) {
      if (!file.finish()) continue;
      files.delete(number);
      port.postMessage({ file: number, kind: 'closed' } satisfies FromThread);
    }
  }

  port.on('message', (messages: readonly ToThread[]) => {
    take(messages);
    work();
  });
}

/** Why nothing more is written. */
interface Stopped {
  readonly why: 'full' | 'stopped';
  readonly message: string;
}

/** The file that is written to test for room; a killed process leaves it behind. */
const probeOf = (file: string) => `${file}.room`;

/**
 * Whether a full disk has `spareBytes` of room again. They are written and removed, because no figure accounts
 * for quotas and reserved blocks.
 */
function hasSpareSpace(sql: Sql, { file, maxPages }: WriterSettings): boolean {
  const probe = probeOf(file);
  try {
    if (maxPages !== undefined && maxPages - usedPages(sql) < sparePages) return false;
    writeFileSync(probe, Buffer.alloc(spareBytes, 1), { mode: 0o600, flush: true });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

function usedPages(sql: Sql): number {
  const pages = sql.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  const free = sql.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
  return pages - free;
}

/** A caller that waits for an empty WAL; `until` is its deadline by `performance.now`. */
interface Truncation {
  readonly id: number;
  readonly until: number;
}

/** The replies once it was tried; while a reader is in the way, to the callers alone whose deadline has passed. */
function truncationReplies(
  asked: readonly Truncation[],
  outcome: boolean | Stopped,
): readonly WriteReply[] {
  if (typeof outcome === 'object') return asked.map(({ id }) => ({ id, ok: false, ...outcome }));
  const answered = outcome ? asked : asked.filter(({ until }) => performance.now() > until);
  return answered.map(({ id }) => ({ id, ok: true, value: outcome }));
}

/** Returns whether the WAL is empty: a reader may be in the way. @throws BrokenStore */
function emptyWal(sql: Sql): boolean {
  try {
    return sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw new BrokenStore(error);
  }
}

/** @throws whatever the operation throws. */
function perform(sql: Sql, operations: WriteOperations, write: WriteRequest): WriteReply {
  const operation = operations[write.operation];
  if (!operation) throw new Error(`There is no write operation '${write.operation}'`);
  return { id: write.id, ok: true, value: operation(sql, write.request as never) };
}

/** Performs a request in a savepoint, so that only its own changes are undone when it is refused. */
function performInSavepoint(
  sql: Sql,
  operations: WriteOperations,
  write: WriteRequest,
): WriteReply {
  sql.run('SAVEPOINT request');
  try {
    const reply = perform(sql, operations, write);
    sql.run('RELEASE request');
    return reply;
  } catch (error) {
    if (!isRefusal(sql, error)) throw error;
    sql.run('ROLLBACK TO request');
    sql.run('RELEASE request');
    return { id: write.id, ok: false, why: 'refused', message: messageOf(error) };
  }
}

const isRefusal = (sql: Sql, error: unknown) => !isBroken(error) && sql.inTransaction();

/**
 * Runs the requests in one transaction and returns their replies after the commit. A request that fails is
 * undone alone.
 *
 * @throws BrokenStore when the disk or the file failed: no request of the group may be acknowledged,
 *   not even those that had succeeded.
 */
function runGroup(
  sql: Sql,
  operations: WriteOperations,
  writes: readonly WriteRequest[],
  how = perform,
): readonly WriteReply[] {
  try {
    beginWithRetry(sql);
  } catch (error) {
    if (!isBusy(error)) throw new BrokenStore(error);
    const message = `The file was locked elsewhere for ${lockTimeoutMs / 1_000} s`;
    return writes.map(({ id }) => ({ id, ok: false, why: 'busy', message }));
  }
  try {
    const replies = writes.map((write) => how(sql, operations, write));
    sql.exec('COMMIT');
    return replies;
  } catch (error) {
    const isRefused = how === perform && isRefusal(sql, error);
    rollBack(sql);
    if (!isRefused) throw new BrokenStore(error);
    // Rare. Savepoints for every request, always, would cost as much as small writes do.
    return runGroup(sql, operations, writes, performInSavepoint);
  }
}

function rollBack(sql: Sql): void {
  try {
    if (sql.inTransaction()) sql.exec('ROLLBACK');
  } catch {
    // The connection is given up anyway, and the first error is the one to report.
  }
}

main();
