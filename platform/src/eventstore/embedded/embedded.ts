import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { yieldToEventLoop } from '../../clock.js';
import { damageIn, openSql, type Sql } from '../../sqlite/sql.js';
import { notifyWatchers, watch } from '../../sqlite/watch.js';
import { startWriter } from '../../sqlite/writer.js';
import {
  type AppendResult,
  checkedAppend,
  type EventMetadata,
  type EventStore,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
} from '../port.js';
import {
  EMPTY_PAGE,
  type LogPage,
  type LogSource,
  maxKeptPages,
  subscription,
} from '../subscription.js';
import { type AppendReply, type AppendRequest, logIdIn, schema } from './writes.js';

export interface EmbeddedEventStoreOptions {
  /** The log's file, created when missing. Several processes may share it. */
  readonly file: string;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
}

/**
 * The log in one SQLite file. One thread commits appends in groups; an append is on disk (fsync) when it
 * is answered.
 * @throws StoreUnavailable when the file cannot be used.
 */
export async function createEmbeddedEventStore(
  options: EmbeddedEventStoreOptions,
): Promise<EventStore> {
  const { file } = options;
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: 'log',
    ...options,
    synchronous: 'FULL',
  });
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  let logId: string;
  try {
    logId = logIdIn(sql) ?? (await writer.write<string>('identify', { candidate: randomUUID() }));
  } catch (error) {
    await writer.close();
    sql.close();
    throw error;
  }
  const pageAfter = createPages(sql);
  const source = sourceIn(file, pageAfter);
  const closing = new AbortController();

  return {
    logId: async () => logId,

    async append(stream, expected, events): Promise<AppendResult> {
      const request: AppendRequest = {
        stream,
        expected,
        events: checkedAppend(stream, expected, events),
      };
      const reply = await writer.write<AppendReply>('append', request);
      if (!reply.ok) return { ok: false, reason: 'wrong-revision', actual: reply.actual };
      notifyWatchers(file);
      return { ok: true, revision: reply.revision, position: positionOf(reply.position) };
    },

    async *readStream(stream, { from = 0 } = {}) {
      for (let next = from; ; ) {
        const page = streamPage(sql, stream, next);
        const last = page.at(-1);
        if (!last) return;
        yield* page;
        next = last.revision + 1;
        await yieldToEventLoop();
      }
    },

    readLast: async (limit) => lastEvents(sql, limit),

    async *readAll({ after, limit = Number.POSITIVE_INFINITY }) {
      let seen = after;
      let left = limit;
      for (;;) {
        const page = pageAfter(seen);
        if (page.seen === null) return;
        for (const event of page.events) {
          if (left <= 0) return;
          left -= 1;
          yield event;
        }
        seen = page.seen;
        await yieldToEventLoop();
      }
    },

    async head() {
      const row = sql.get<{ last: number | null }>('SELECT max(position) AS last FROM events');
      return row?.last ? positionOf(row.last) : null;
    },

    subscribe(subscribeOptions) {
      const signal = AbortSignal.any([subscribeOptions.signal, closing.signal]);
      return subscription(source, { ...subscribeOptions, signal });
    },

    async close() {
      closing.abort();
      await writer.close();
      sql.close();
    },
  };
}

/** Remembers where the log ends until there is news, so that caught-up read models do not query the file. */
function sourceIn(file: string, pageAfter: ReturnType<typeof createPages>): LogSource {
  let end: { readonly at: Position | null } | null = null;
  return {
    pageAfter(seen) {
      if (end?.at === seen) return EMPTY_PAGE;
      const page = pageAfter(seen);
      if (page.seen === null) end = { at: seen };
      return page;
    },
    watch(onNews) {
      // Appends while nobody watched were not reported.
      end = null;
      return watch(file, () => {
        end = null;
        onNews();
      });
    },
  };
}

/** A page holds at most this many events, and about this many bytes (a single event may be larger). */
const pageEvents = 500;
const pageBytes = 1024 * 1024;

/**
 * The text columns of an event as bytes, joined by newlines, which none of them contains. libsql ends the
 * process over a text that a bad disk has corrupted, before anybody can say which file is damaged.
 */
const columns = `position, revision, CAST(
  stream || char(10) || id || char(10) || type || char(10) || data || char(10) || metadata AS BLOB
) AS bytes`;

interface EventRow {
  readonly position: number;
  readonly revision: number;
  readonly bytes: Uint8Array;
}

const lastRow = 2n ** 63n - 1n;

/** The row number of a position. A position beyond what SQLite can count stands after every event. */
function rowOf(position: Position | null): bigint {
  const row = position === null ? 0n : numberOf(position);
  return row < lastRow ? row : lastRow;
}

/** @throws DamagedFile when the row is not a readable event. */
function recorded({ file }: Sql, row: EventRow): RecordedEvent {
  const bytes = Buffer.from(row.bytes);
  const [stream, id, type, data, metadata] = bytes.toString().split('\n');
  try {
    if (!isUtf8(bytes) || !stream || !id || !type || !data || !metadata)
      throw new SyntaxError('it has a part that is no text');
    return {
      id,
      type,
      data: JSON.parse(data),
      metadata: JSON.parse(metadata) as EventMetadata,
      stream,
      revision: row.revision,
      position: positionOf(row.position),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damageIn(file, `event ${row.position} cannot be read`);
  }
}

/** The key of the last row that fits into the page; null when there are no rows. */
function endOfPage(rows: readonly { key: number; bytes: number }[]): number | null {
  let bytes = 0;
  let last: number | null = null;
  for (const row of rows) {
    bytes += row.bytes;
    if (last !== null && bytes > pageBytes) return last;
    last = row.key;
  }
  return last;
}

/** The next events of a stream from a revision on; empty at its end. */
function streamPage(sql: Sql, stream: string, from: number): readonly RecordedEvent[] {
  const end = endOfPage(
    sql.all(
      `SELECT revision AS key, octet_length(data) AS bytes FROM events
       WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ${pageEvents}`,
      [stream, from],
    ),
  );
  if (end === null) return [];
  return sql
    .all<EventRow>(
      `SELECT ${columns} FROM events
       WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision`,
      [stream, from, end],
    )
    .map((row) => recorded(sql, row));
}

/** The next events of the log after a position. */
function wholePage(sql: Sql, after: bigint): LogPage {
  const end = endOfPage(
    sql.all(
      `SELECT position AS key, octet_length(data) AS bytes FROM events
       WHERE position > ? ORDER BY position LIMIT ${pageEvents}`,
      [after],
    ),
  );
  if (end === null) return EMPTY_PAGE;
  const events = sql
    .all<EventRow>(
      `SELECT ${columns} FROM events WHERE position > ? AND position <= ? ORDER BY position`,
      [after, end],
    )
    .map((row) => recorded(sql, row));
  return { events, seen: positionOf(end) };
}

/** The last events of the log, in log order. */
function lastEvents(sql: Sql, limit: number): readonly RecordedEvent[] {
  return sql
    .all<EventRow>(`SELECT ${columns} FROM events ORDER BY position DESC LIMIT ?`, [limit])
    .map((row) => recorded(sql, row))
    .reverse();
}

/**
 * Reads pages of the log and caches the latest. Every read model has its own subscription; those at the
 * same place read and parse a page once. A page never changes, because events never do.
 */
function createPages(sql: Sql): (after: Position | null) => LogPage {
  const kept = new LRUCache<bigint, LogPage>({ max: maxKeptPages });
  return (position) => {
    const after = rowOf(position);
    const known = kept.get(after);
    if (known) return known;
    const page = wholePage(sql, after);
    if (page.seen !== null) kept.set(after, page);
    return page;
  };
}
