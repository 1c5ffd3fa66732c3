import { rmSync, writeFileSync } from 'node:fs';
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BrokenStore, runGroup } from './group.js';
import { applySchema, unusableBecause, writerTimeoutMs } from './prepare.js';
import {
  type FromWriter,
  roomBytes,
  type ToWriter,
  type WriteReply,
  type WriteRequest,
  type WriterModule,
  type WriterSettings,
} from './protocol.js';
import { isBusy, messageOf, openSql, type Sql } from './sql.js';

/** The most requests in one transaction, so that other processes do not wait long for the lock. */
const maxGroup = 1_000;
const truncateRetryMs = 10;
/** How often a full disk is checked for room again. */
const roomLookMs = 1_000;
const roomPages = 16;

/** The one thread that writes to a file. All requests that wait are committed together. */
async function main(): Promise<void> {
  if (isMainThread || !parentPort) throw new Error('This module is a worker thread');
  const port = parentPort;
  const settings = workerData as WriterSettings;
  const tell = (message: FromWriter) => port.postMessage(message);

  let sql: Sql;
  let module: WriterModule;
  try {
    module = (await import(settings.module)) as WriterModule;
    sql = openSql(settings.file, { ...settings, busyTimeoutMs: writerTimeoutMs });
    rmSync(probeOf(settings.file), { force: true });
    applySchema(sql, settings.file, module.schema);
  } catch (error) {
    tell({ kind: 'unusable', message: unusableBecause(settings.file, error) });
    port.close();
    return;
  }

  let stopped: Stopped | null = null;
  let roomTimer: NodeJS.Timeout | null = null;
  let closing = false;
  const waiting: WriteRequest[] = [];
  let truncating: Truncation[] = [];
  let truncateTimer: NodeJS.Timeout | null = null;

  function take(message: ToWriter): void {
    if (message.kind === 'write') waiting.push(...message.requests);
    else if (message.kind === 'truncate')
      truncating.push({ id: message.id, until: performance.now() + message.forMs });
    else closing = true;
  }

  /** Takes the messages that arrived while the last transaction ran. No timer, so a single write never waits. */
  function takeAllThatArrived(): void {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      take(next.message as ToWriter);
    }
  }

  let isWaiting = settings.synchronous === 'FULL';

  /** Makes the commit wait for the disk if a request is `durable`. Earlier writes are then on disk too. */
  function waitForDisk(group: readonly WriteRequest[]): void {
    if (settings.synchronous !== 'FULL') return;
    const isDue = group.some(({ durable }) => durable);
    if (isDue !== isWaiting) sql.exec(`PRAGMA synchronous = ${isDue ? 'FULL' : 'NORMAL'}`);
    isWaiting = isDue;
  }

  function write(group: readonly WriteRequest[]): readonly WriteReply[] {
    if (stopped === null) {
      waitForDisk(group);
      try {
        return runGroup(sql, module.operations, group);
      } catch (error) {
        if (!(error instanceof BrokenStore)) throw error;
        const message = `${settings.file} takes no more writes: ${error.message}`;
        stopped = { why: error.isFull ? 'full' : 'stopped', message };
        if (error.isFull) roomTimer ??= setInterval(lookForRoom, roomLookMs);
      }
    }
    const why = stopped;
    return group.map(({ id }) => ({ id, ok: false, ...why }));
  }

  function lookForRoom(): void {
    if (stopped?.why === 'full' && !hasRoom(sql, settings)) return;
    endLooking();
    if (stopped?.why !== 'full') return;
    stopped = null;
    tell({ kind: 'room' });
  }

  function endLooking(): void {
    if (roomTimer) clearInterval(roomTimer);
    roomTimer = null;
  }

  /** Empties the WAL. A reader with an old snapshot blocks this, so it is retried until the deadline; writes go on. */
  function truncate(): void {
    if (truncateTimer) clearTimeout(truncateTimer);
    truncateTimer = null;
    if (truncating.length === 0) return;
    const answered = truncateNow(sql, truncating, stopped) ?? tooLate(truncating);
    const answeredIds = new Set(answered.map(({ id }) => id));
    truncating = truncating.filter(({ id }) => !answeredIds.has(id));
    if (answered.length > 0) tell({ kind: 'replies', replies: answered });
    if (truncating.length > 0) truncateTimer = setTimeout(work, truncateRetryMs);
  }

  function work(): void {
    takeAllThatArrived();
    while (waiting.length > 0) {
      tell({ kind: 'replies', replies: write(waiting.splice(0, maxGroup)) });
      takeAllThatArrived();
    }
    truncate();
    if (closing && truncating.length === 0) {
      endLooking();
      sql.close();
      port.close();
    }
  }

  port.on('message', (message: ToWriter) => {
    take(message);
    work();
  });
  tell({ kind: 'ready' });
}

/** Why nothing more is written. */
interface Stopped {
  readonly why: 'full' | 'stopped';
  readonly message: string;
}

/** The file that is written to test for room; a killed process leaves it behind. */
const probeOf = (file: string) => `${file}.room`;

/**
 * Whether a full disk has `roomBytes` of room again. They are written and removed, because no figure accounts
 * for quotas and reserved blocks.
 */
function hasRoom(sql: Sql, { file, maxPages }: WriterSettings): boolean {
  const probe = probeOf(file);
  try {
    if (maxPages !== undefined && maxPages - usedPages(sql) < roomPages) return false;
    writeFileSync(probe, Buffer.alloc(roomBytes, 1), { mode: 0o600, flush: true });
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

/** Replies to the callers whose deadline has passed. */
const tooLate = (asked: readonly Truncation[]): readonly WriteReply[] =>
  asked
    .filter(({ until }) => performance.now() > until)
    .map(({ id }) => ({ id, ok: true, value: false }));

/** Replies to all callers; null: a reader is in the way. */
function truncateNow(
  sql: Sql,
  asked: readonly Truncation[],
  stopped: Stopped | null,
): readonly WriteReply[] | null {
  const failed = (why: Stopped) => asked.map(({ id }): WriteReply => ({ id, ok: false, ...why }));
  if (stopped !== null) return failed(stopped);
  try {
    const result = sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    return result?.busy === 0 ? asked.map(({ id }) => ({ id, ok: true, value: true })) : null;
  } catch (error) {
    return isBusy(error) ? null : failed({ why: 'stopped', message: messageOf(error) });
  }
}

await main();
