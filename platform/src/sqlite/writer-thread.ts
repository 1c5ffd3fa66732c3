import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BrokenStore, beginPatiently, runGroup } from './group.js';
import type {
  FromWriter,
  ToWriter,
  WriteReply,
  WriteRequest,
  WriterModule,
  WriterSettings,
} from './protocol.js';
import { DamagedFile, isBusy, messageOf, openSql, type Sql } from './sql.js';

/** A lock is asked for again and again rather than slept on: SQLite's own sleeps grow to 100 ms. */
const busyTimeoutMs = 10;
/** Keeps a transaction short for the other processes that wait for the lock. */
const maxGroup = 1_000;
const truncateRetryMs = 10;

/** The one thread that writes to a file. Everything that waits is committed together. */
async function main(): Promise<void> {
  if (isMainThread || !parentPort) throw new Error('This module is a worker thread');
  const port = parentPort;
  const settings = workerData as WriterSettings;
  const tell = (message: FromWriter) => port.postMessage(message);

  let sql: Sql;
  let module: WriterModule;
  try {
    module = (await import(settings.module)) as WriterModule;
    sql = openSql(settings.file, { ...settings, busyTimeoutMs });
    beginPatiently(sql);
    sql.exec(module.schema);
    sql.exec('COMMIT');
  } catch (error) {
    const said = messageOf(error);
    const message = error instanceof DamagedFile ? said : `${settings.file}: ${said}`;
    tell({ kind: 'unusable', message });
    port.close();
    return;
  }

  let stopped: string | null = null;
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

  /** What has arrived while the last transaction ran; no timer, so a single write never waits. */
  function takeAllThatArrived(): void {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      take(next.message as ToWriter);
    }
  }

  function write(group: readonly WriteRequest[]): readonly WriteReply[] {
    if (stopped === null) {
      try {
        return runGroup(sql, module.operations, group);
      } catch (error) {
        if (!(error instanceof BrokenStore)) throw error;
        stopped = `${settings.file} takes no more writes: ${error.message}`;
      }
    }
    const message = stopped;
    return group.map(({ id }) => ({ id, ok: false, why: 'stopped', message }));
  }

  /** A reader with an old snapshot blocks it: tried again while there is time, writes going on. */
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

/** Somebody waits for an empty WAL, until then by `performance.now`. */
interface Truncation {
  readonly id: number;
  readonly until: number;
}

/** Those whose time is over. */
const tooLate = (asked: readonly Truncation[]): readonly WriteReply[] =>
  asked
    .filter(({ until }) => performance.now() > until)
    .map(({ id }) => ({ id, ok: true, value: false }));

/** Null: a reader is in the way. */
function truncateNow(
  sql: Sql,
  asked: readonly Truncation[],
  stopped: string | null,
): readonly WriteReply[] | null {
  const failed = (message: string) =>
    asked.map(({ id }): WriteReply => ({ id, ok: false, why: 'stopped', message }));
  if (stopped !== null) return failed(stopped);
  try {
    const result = sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    return result?.busy === 0 ? asked.map(({ id }) => ({ id, ok: true, value: true })) : null;
  } catch (error) {
    return isBusy(error) ? null : failed(messageOf(error));
  }
}

await main();
