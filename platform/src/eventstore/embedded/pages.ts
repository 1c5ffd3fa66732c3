import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { damageIn, type Sql } from '../../sqlite/sql.js';
import {
  type EventMetadata,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
} from '../port.js';
import { keptPages, type LogPage, NOTHING } from '../subscription.js';

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
export function streamPage(sql: Sql, stream: string, from: number): readonly RecordedEvent[] {
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
  if (end === null) return NOTHING;
  const events = sql
    .all<EventRow>(
      `SELECT ${columns} FROM events WHERE position > ? AND position <= ? ORDER BY position`,
      [after, end],
    )
    .map((row) => recorded(sql, row));
  return { events, seen: positionOf(end) };
}

/** The last events of the log, in log order. */
export function lastEvents(sql: Sql, limit: number): readonly RecordedEvent[] {
  return sql
    .all<EventRow>(`SELECT ${columns} FROM events ORDER BY position DESC LIMIT ?`, [limit])
    .map((row) => recorded(sql, row))
    .reverse();
}

/**
 * Reads pages of the log and caches the latest. Every read model has its own subscription; those at the
 * same place read and parse a page once. A page never changes, because events never do.
 */
export function createPages(sql: Sql): (after: Position | null) => LogPage {
  const kept = new LRUCache<bigint, LogPage>({ max: keptPages });
  return (position) => {
    const after = rowOf(position);
    const known = kept.get(after);
    if (known) return known;
    const page = wholePage(sql, after);
    if (page.seen !== null) kept.set(after, page);
    return page;
  };
}
