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

function append(sql: Sql, request: AppendRequest): AppendReply {
  const { stream, events } = request;
  const current =
    sql.get<{ last: number | null }>('SELECT max(revision) AS last FROM events WHERE stream = ?', [
      stream,
    ])?.last ?? noStream;
  const expected = request.expected === 'no-stream' ? noStream : request.expected;
  if (expected !== current) {
    const actual = current === noStream ? 'no-stream' : current;
    return earlierAppend(sql, expected + 1, request) ?? { ok: false, actual };
  }
  const head =
    sql.get<{ last: number | null }>('SELECT max(position) AS last FROM events')?.last ?? 0;
  events.forEach(({ id, type, data, metadata }, index) => {
    sql.run(
      `INSERT INTO events (position, stream, revision, id, type, data, metadata)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [head + index + 1, stream, current + index + 1, id, type, data, metadata],
    );
  });
  return { ok: true, revision: current + events.length, position: head + events.length };
}

/** The log's id: the candidate the first time, what it was ever after. */
function identify(sql: Sql, { candidate }: { readonly candidate: string }): string {
  sql.run("INSERT INTO meta (name, value) VALUES ('logId', ?) ON CONFLICT DO NOTHING", [candidate]);
  return (
    sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'logId'")?.value ?? candidate
  );
}

export const operations = { append, identify };
