import type { Sql } from '../../sqlite/sql.js';
import type { ExpectedRevision, Revision } from '../port.js';
import type { SerializedEvent } from '../validate.js';

/** Runs in the writer thread of the log. Positions are given under its lock: no gap ever closes late. */
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

/** Before the first event, so that the next one is always the last revision plus one. */
const noStream = -1;

/** The append that happened already: its ids stand where these would have stood. */
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

/** The position is the one after the last: events never go, and nobody else writes meanwhile. */
const insert = `INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6`;
/** Only where the stream ends just before it. */
const insertNext = `${insert}
  WHERE coalesce((SELECT max(revision) FROM events WHERE stream = ?1), ${noStream}) = ?2 - 1`;

/** What is there instead of what was expected. */
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

/** The log's id: the candidate the first time, what it was ever after. */
function identify(sql: Sql, { candidate }: { readonly candidate: string }): string {
  sql.run("INSERT INTO meta (name, value) VALUES ('logId', ?) ON CONFLICT DO NOTHING", [candidate]);
  return logIdIn(sql) ?? candidate;
}

/** Null while nobody has asked for one. */
export const logIdIn = (sql: Sql): string | null =>
  sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'logId'")?.value ?? null;

export const operations = { append, identify };
