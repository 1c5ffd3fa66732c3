import { asBuffer, type Sql } from '../sqlite/sql.js';

/** Runs in the writer thread of the keys file. */
export const schema = `
  CREATE TABLE IF NOT EXISTS keys (subject TEXT PRIMARY KEY, wrapped BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS destroyed (subject TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS probes (one INTEGER PRIMARY KEY CHECK (one = 1), probe BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS incoming (one INTEGER PRIMARY KEY CHECK (one = 1), probe BLOB NOT NULL) STRICT;
`;

export interface ObtainRequest {
  readonly subject: string;
  /** Stored only when the subject has no key yet. */
  readonly candidate: Uint8Array;
}

/** The wrapped key of the subject; null when it was destroyed. */
function obtain(sql: Sql, { subject, candidate }: ObtainRequest): Uint8Array | null {
  if (sql.get('SELECT 1 FROM destroyed WHERE subject = ?', [subject])) return null;
  sql.run('INSERT INTO keys (subject, wrapped) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    subject,
    asBuffer(candidate),
  ]);
  const row = sql.get<{ wrapped: Buffer }>('SELECT wrapped FROM keys WHERE subject = ?', [subject]);
  return row?.wrapped ?? null;
}

/** Also records a subject without a key here: a restored copy must not give it a new one. */
function destroy(sql: Sql, { subject }: { readonly subject: string }): boolean {
  sql.run('INSERT INTO destroyed (subject) VALUES (?) ON CONFLICT DO NOTHING', [subject]);
  return sql.run('DELETE FROM keys WHERE subject = ?', [subject]) > 0;
}

export interface AdoptRequest {
  readonly kept: readonly { readonly subject: string; readonly wrapped: string | null }[];
}

/** All or none. A subject destroyed there or here has no key afterwards. */
function adopt(sql: Sql, { kept }: AdoptRequest): void {
  for (const { subject, wrapped } of kept)
    if (wrapped === null)
      sql.run('INSERT INTO destroyed (subject) VALUES (?) ON CONFLICT DO NOTHING', [subject]);
    else
      sql.run(
        `INSERT INTO keys (subject, wrapped) SELECT ?, ?
         WHERE NOT EXISTS (SELECT 1 FROM destroyed WHERE subject = ?) ON CONFLICT DO NOTHING`,
        [subject, Buffer.from(wrapped, 'base64'), subject],
      );
}

export interface ReplaceRequest {
  /** `from` and `to` are wrapped keys in base64. */
  readonly keys: readonly {
    readonly subject: string;
    readonly from: string;
    readonly to: string;
  }[];
}

/** All or none, except keys that were destroyed or replaced meanwhile. */
function replace(sql: Sql, { keys }: ReplaceRequest): void {
  for (const { subject, from, to } of keys)
    sql.run('UPDATE keys SET wrapped = ? WHERE subject = ? AND wrapped = ?', [
      Buffer.from(to, 'base64'),
      subject,
      Buffer.from(from, 'base64'),
    ]);
}

interface ProbeRequest {
  readonly probe: Uint8Array;
}

/** Stores the probe of the first master key, and returns all probes: during a rotation there are two. */
function storeProbe(sql: Sql, { probe }: ProbeRequest): readonly Uint8Array[] {
  sql.run('INSERT INTO probes (one, probe) VALUES (1, ?) ON CONFLICT DO NOTHING', [
    asBuffer(probe),
  ]);
  return probesIn(sql);
}

/** The stored probes; empty in a new file. */
export const probesIn = (sql: Sql): readonly Uint8Array[] =>
  ['probes', 'incoming'].flatMap(
    (table) => sql.get<{ probe: Buffer }>(`SELECT probe FROM ${table}`)?.probe ?? [],
  );

/** From now on keys may also be wrapped under the probe's master key. */
function expect(sql: Sql, { probe }: ProbeRequest): void {
  sql.run('INSERT INTO incoming (one, probe) VALUES (1, ?) ON CONFLICT DO NOTHING', [
    asBuffer(probe),
  ]);
}

/** From now on every key is wrapped under the probe's master key. */
function settle(sql: Sql, { probe }: ProbeRequest): void {
  sql.run('UPDATE probes SET probe = ?', [asBuffer(probe)]);
  sql.run('DELETE FROM incoming');
}

export const operations = { obtain, destroy, adopt, replace, remember: storeProbe, expect, settle };
