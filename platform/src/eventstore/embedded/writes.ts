import type { Sql } from '../../sqlite/sql.js';
import type { ExpectedRevision, Revision, SerializedEvent } from '../port.js';

/** Runs in the log's writer thread. Positions are assigned under its lock, so they appear in order. */
export const schema = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'an event never changes'); END;
  CREATE TRIGGER IF NOT EXISTS events_never_go BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event never goes away'); END;
`;

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
}

export type AppendReply =
  | { readonly ok: true; readonly revision: Revision; readonly position: number }
  | { readonly ok: false; readonly actual: ExpectedRevision };

/** The revision before the first event: the next revision is always the last plus one. */
const noStream = -1;

/** Finds an earlier append with the same ids at the same revisions; null when there is none. */
function earlierAppend(sql: Sql, first: Revision, request: AppendRequest): AppendReply | null {
  const last = first + request.events.length - 1;
  const stored = sql.all<{ id: string; position: number }>(
    'SELECT id, position FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision',
    [request.stream, first, last],
  );
  const same =
    stored.length === request.events.length &&
    stored.every(({ id }, index) => id === request.events[index]?.id);
  const end = stored.at(-1);
  return same && end ? { ok: true, revision: last, position: end.position } : null;
}

/** SQLite assigns the last position plus one: rows are never deleted, and nobody else writes meanwhile. */
const insert = `INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6`;
/** Inserts only if the stream ends at the previous revision. */
const insertNext = `${insert}
  WHERE coalesce((SELECT max(revision) FROM events WHERE stream = ?1), ${noStream}) = ?2 - 1`;

/** The reply when the stream is not at the expected revision. */
function conflict(sql: Sql, first: Revision, request: AppendRequest): AppendReply {
  const last = sql.get<{ last: number | null }>(
    'SELECT max(revision) AS last FROM events WHERE stream = ?',
    [request.stream],
  )?.last;
  return earlierAppend(sql, first, request) ?? { ok: false, actual: last ?? 'no-stream' };
}

function append(sql: Sql, request: AppendRequest): AppendReply {
  const { stream, events } = request;
  const first = (request.expected === 'no-stream' ? noStream : request.expected) + 1;
  let position = 0;
  for (const [index, { id, type, data, metadata }] of events.entries()) {
    const values = [stream, first + index, id, type, data, metadata];
    const row = sql.insert(index === 0 ? insertNext : insert, values);
    if (row === null) return conflict(sql, first, request);
    position = row;
  }
  return { ok: true, revision: first + events.length - 1, position };
}

/** The log's id. The first call stores the candidate; later calls return what was stored. */
function identify(sql: Sql, { candidate }: { readonly candidate: string }): string {
  sql.run("INSERT INTO meta (name, value) VALUES ('logId', ?) ON CONFLICT DO NOTHING", [candidate]);
  return logIdIn(sql) ?? candidate;
}

/** The stored log id; null before the first `identify`. */
export const logIdIn = (sql: Sql): string | null =>
  sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'logId'")?.value ?? null;

export const operations = { append, identify };
