import type { Sql } from '../../sqlite/sql.js';
import {
  type EventMetadata,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
} from '../port.js';

/** A page holds at most this many events, and about this many bytes (one event may be larger). */
const pageEvents = 500;
const pageBytes = 1024 * 1024;

const columns = 'position, stream, revision, id, type, data, metadata';

interface EventRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const lastRow = 2n ** 63n - 1n;

/** The row a position names; one beyond all that SQLite can count stands after every event. */
export function rowOf(position: Position | null): bigint {
  const row = position === null ? 0n : numberOf(position);
  return row < lastRow ? row : lastRow;
}

function recorded(row: EventRow): RecordedEvent {
  return {
    id: row.id,
    type: row.type,
    data: JSON.parse(row.data),
    metadata: JSON.parse(row.metadata) as EventMetadata,
    stream: row.stream,
    revision: row.revision,
    position: positionOf(row.position),
  };
}

/** The key of the last row that still fits into a page; null when there is none. */
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
    .map(recorded);
}

export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here has been looked at; null: there is nothing after `after`. */
  readonly seen: bigint | null;
}

export const NOTHING: LogPage = { events: [], seen: null };

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
    .map(recorded);
  return { events, seen: BigInt(end) };
}

/** The last events of the log, in their order. */
export function lastEvents(sql: Sql, limit: number): readonly RecordedEvent[] {
  return sql
    .all<EventRow>(`SELECT ${columns} FROM events ORDER BY position DESC LIMIT ?`, [limit])
    .map(recorded)
    .reverse();
}

/** Pages kept: as many as subscriptions are usually apart while they catch up. */
const keptPages = 8;

/**
 * Pages of the log, the latest kept. Every read model has a subscription of its own; those that stand
 * at the same place read and parse it once. What a page holds never changes, as events do not.
 */
export function createPages(sql: Sql): (after: bigint) => LogPage {
  const kept = new Map<bigint, LogPage>();
  return (after) => {
    const known = kept.get(after);
    if (known) return known;
    const page = wholePage(sql, after);
    if (page.seen === null) return page;
    kept.set(after, page);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptPages) break;
      kept.delete(oldest);
    }
    return page;
  };
}
