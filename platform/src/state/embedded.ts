import { type JsonObject, jsonText } from '../eventstore/port.js';
import { openSql, type Parameter, type Sql, textIn, valueIn } from '../sqlite/sql.js';
import { SMALL_FILES, startWriter } from '../sqlite/writer.js';
import type { State, StateEntry } from './port.js';
import { afterPrefix } from './port.js';
import { type DeleteRequest, type PutRequest, type SweepRequest, schema } from './writes.js';

const defaultListLimit = 1_000;

/** A market that was never swept has millions of expired entries: other writes wait for a batch, not for all. */
const SWEPT_AT_ONCE = 1_000;

export interface EmbeddedStateOptions {
  readonly file: string;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
}

/** Texts are read as bytes: see `textIn`. */
interface Row {
  readonly keyBytes: Uint8Array;
  readonly valueBytes: Uint8Array;
  readonly version: number;
  readonly expiresAt: number | null;
}

const columns =
  'CAST(key AS BLOB) AS keyBytes, CAST(value AS BLOB) AS valueBytes, version, expiresAt';

const AN_ENTRY = 'an entry';

/** @throws DamagedFile */
function entryOf<V extends JsonObject>(sql: Sql, row: Row): StateEntry<V> {
  const { keyBytes, valueBytes, ...rest } = row;
  const value = valueIn<V>(sql, textIn(sql, valueBytes, AN_ENTRY), AN_ENTRY);
  return { ...rest, key: textIn(sql, keyBytes, AN_ENTRY), value };
}

const alive = '(expiresAt IS NULL OR expiresAt > ?)';

/**
 * State in one SQLite file. Deleted data is overwritten with zeros.
 * @throws StoreUnavailable when the file cannot be used.
 */
export async function createEmbeddedState(options: EmbeddedStateOptions): Promise<State> {
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: SMALL_FILES,
    ...options,
    synchronous: 'FULL',
    secureDelete: true,
  });
  const sql = openSql(options.file, { readonly: true, synchronous: 'FULL' });

  return {
    async get<V extends JsonObject>(space: string, key: string, now: number) {
      const [row] = sql.all<Row>(
        `SELECT ${columns} FROM entries
         WHERE space = ? AND key = ? AND ${alive}`,
        [space, key, now],
      );
      return row ? entryOf<V>(sql, row) : null;
    },

    async put(space, key, value, now, putOptions = {}) {
      const request: PutRequest = {
        space,
        key,
        value: jsonText(value, 'value'),
        now,
        condition: putOptions.if ?? null,
        expiresAt: putOptions.expiresAt ?? null,
      };
      return writer.write('put', request, { durable: putOptions.durable ?? true });
    },

    async delete(space, key, version) {
      const request: DeleteRequest = { space, key, version: version ?? null };
      return writer.write('remove', request);
    },

    async list<V extends JsonObject>(
      space: string,
      prefix: string,
      now: number,
      {
        limit = defaultListLimit,
        after,
      }: { readonly limit?: number; readonly after?: string } = {},
    ) {
      const conditions = ['space = ?', 'key >= ?', alive];
      const parameters: Parameter[] = [space, prefix, now];
      const end = afterPrefix(prefix);
      if (end !== null) {
        conditions.push('key < ?');
        parameters.push(end);
      }
      if (after !== undefined) {
        conditions.push('key > ?');
        parameters.push(after);
      }
      return sql
        .all<Row>(
          `SELECT ${columns} FROM entries
           WHERE ${conditions.join(' AND ')} ORDER BY key LIMIT ?`,
          [...parameters, limit],
        )
        .map((row) => entryOf<V>(sql, row));
    },

    async spaces() {
      return sql
        .all<{ bytes: Uint8Array }>(
          'SELECT CAST(space AS BLOB) AS bytes FROM (SELECT DISTINCT space FROM entries ORDER BY space)',
        )
        .map(({ bytes }) => textIn(sql, bytes, AN_ENTRY));
    },

    async sweep(now) {
      let swept = 0;
      for (;;) {
        const request: SweepRequest = { now, limit: SWEPT_AT_ONCE };
        const gone = await writer.write<number>('sweep', request);
        swept += gone;
        if (gone < SWEPT_AT_ONCE) return swept;
      }
    },

    async close() {
      await writer.close();
      sql.close();
    },
  };
}
