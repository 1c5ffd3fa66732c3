import { existsSync, statSync } from 'node:fs';
import { asBuffer, openSql, textIn } from '../sqlite/sql.js';
import { SMALL_FILES, startWriter } from '../sqlite/writer.js';
import {
  KEPT_KEYS_PAGE,
  type KeptKey,
  KeyDestroyed,
  KeyLingers,
  type Keys,
  WrongMasterKey,
} from './port.js';
import { checkKept, createWrapping, rewrapPages, underMasterKey } from './wrapping.js';
import {
  type AdoptRequest,
  type ObtainRequest,
  probesIn,
  type ReplaceRequest,
  schema,
} from './writes.js';

const A_SUBJECT = 'a subject';

export interface EmbeddedKeysOptions {
  readonly file: string;
  /** 32 bytes, decoded from KEYS_MASTER_KEY. Never written anywhere. */
  readonly masterKey: Buffer;
  /** The previous or next master key during a rotation. It unwraps keys but never wraps them. */
  readonly fallback?: Buffer | null;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
  /** How long destroying a key waits for readers to finish, in milliseconds. */
  readonly lingerMs?: number;
}

/** Readers take milliseconds; one that takes this long may never finish. */
const LINGER_MS = 5_000;

/**
 * Keys in one SQLite file that overwrites what it deletes. Nothing is cached: another process may destroy
 * a key at any time.
 * @throws StoreUnavailable when the file cannot be used; WrongMasterKey; RangeError when a master key
 * does not have 32 bytes.
 */
export async function createEmbeddedKeys(options: EmbeddedKeysOptions): Promise<Keys> {
  const { masterKey, fallback = null, lingerMs = LINGER_MS, ...file } = options;
  const wrapping = createWrapping(masterKey, fallback);
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: SMALL_FILES,
    ...file,
    synchronous: 'FULL',
    secureDelete: true,
  });
  const sql = openSql(options.file, { readonly: true, synchronous: 'FULL' });
  let isKnown = false;
  try {
    const known = probesIn(sql);
    const stored =
      known.length > 0
        ? known
        : await writer.write<readonly Uint8Array[]>('remember', { probe: wrapping.probe() });
    for (const each of stored) wrapping.verify(asBuffer(each));
    isKnown = stored.some((each) => wrapping.isOwn(asBuffer(each)));
  } catch (error) {
    await writer.close();
    sql.close();
    throw error;
  }

  function find(subject: string): Buffer | null {
    const row = sql.get<{ wrapped: Buffer }>('SELECT wrapped FROM keys WHERE subject = ?', [
      subject,
    ]);
    return row ? wrapping.unwrap(subject, row.wrapped) : null;
  }

  /** Registers a new master key before it wraps anything. From then on, processes without it are refused. */
  async function beKnown(): Promise<void> {
    if (!isKnown) await writer.write('expect', { probe: wrapping.probe() });
    isKnown = true;
  }

  async function page(after: string | null, limit = KEPT_KEYS_PAGE): Promise<readonly KeptKey[]> {
    // Read as hex: libsql returns the blobs of many rows in another shape than the blob of one.
    const rows = sql.all<{ bytes: Uint8Array; hex: string | null }>(
      `SELECT CAST(subject AS BLOB) AS bytes, hex FROM (
         SELECT subject, hex(wrapped) AS hex FROM keys UNION ALL SELECT subject, NULL FROM destroyed)
       WHERE subject > ? ORDER BY subject LIMIT ?`,
      [after ?? '', limit],
    );
    return rows.map(({ bytes, hex }) => ({
      subject: textIn(sql, bytes, A_SUBJECT),
      wrapped: hex === null ? null : Buffer.from(hex, 'hex').toString('base64'),
    }));
  }

  async function destroy(subject: string): Promise<boolean> {
    const existed = await writer.write<boolean>('destroy', { subject });
    // Also when no key existed: an earlier try may have stopped between its commit and this step.
    if (!(await writer.truncateWal(lingerMs))) throw new KeyLingers(subject);
    return existed;
  }

  return {
    async obtain(subject) {
      const known = find(subject);
      if (known) return known;
      await beKnown();
      const request: ObtainRequest = { subject, candidate: wrapping.make(subject) };
      const wrapped = await writer.write<Uint8Array | null>('obtain', request);
      if (!wrapped) throw new KeyDestroyed(subject);
      return wrapping.unwrap(subject, asBuffer(wrapped));
    },

    async find(subject) {
      return find(subject);
    },

    async findMany(subjects) {
      return subjects.map(find);
    },

    destroy,

    async isDestroyed(subject) {
      return sql.get('SELECT 1 FROM destroyed WHERE subject = ?', [subject]) !== undefined;
    },

    async rewrap(options = {}) {
      if (!options.dryRun) await beKnown();
      const replace = (keys: ReplaceRequest['keys']) =>
        writer.write<void>('replace', { keys } satisfies ReplaceRequest);
      const done = await rewrapPages(wrapping, { page, replace }, options);
      if (options.dryRun) return { ...done, lingers: false };
      await writer.write('settle', { probe: wrapping.probe() });
      return { ...done, lingers: !(await writer.truncateWal(lingerMs)) };
    },

    async kept(after, limit) {
      return (await page(after, limit)).map((kept) => underMasterKey(wrapping, kept));
    },

    async adopt(kept) {
      checkKept(wrapping, kept, find);
      const gone = kept.filter(({ subject, wrapped }) => wrapped === null && find(subject));
      await beKnown();
      const request: AdoptRequest = { kept: kept.map((each) => underMasterKey(wrapping, each)) };
      await writer.write('adopt', request);
      // Keys that existed here must leave no trace on the disk.
      for (const { subject } of gone) await destroy(subject);
    },

    async close() {
      await writer.close();
      sql.close();
    },
  };
}

/**
 * The subjects whose keys were destroyed in an embedded keys file, under any master key; null when it is missing,
 * empty or another database. When the file is replaced by an older copy, these keys must be destroyed again.
 * @throws DamagedFile
 */
export function destroyedIn(file: string): readonly string[] | null {
  if (!existsSync(file) || statSync(file).size === 0) return null;
  const sql = openSql(file, { synchronous: 'FULL' });
  try {
    const made = sql.get("SELECT 1 FROM sqlite_master WHERE name = 'destroyed'") !== undefined;
    if (!made) return null;
    return sql
      .all<{ bytes: Uint8Array }>(
        'SELECT CAST(subject AS BLOB) AS bytes FROM destroyed ORDER BY subject',
      )
      .map(({ bytes }) => textIn(sql, bytes, A_SUBJECT));
  } finally {
    sql.close();
  }
}

/** Whether an embedded keys file, such as a backup's, opens with these master keys. The file is not changed. */
export function opensKeys(file: string, masterKey: Buffer, fallback: Buffer | null): boolean {
  const wrapping = createWrapping(masterKey, fallback);
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  try {
    const tables = sql
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('probes', 'incoming')")
      .map(({ name }) => name);
    for (const table of tables)
      for (const { hex } of sql.all<{ hex: string }>(`SELECT hex(probe) AS hex FROM ${table}`))
        wrapping.verify(Buffer.from(hex, 'hex'));
    return true;
  } catch (error) {
    if (error instanceof WrongMasterKey) return false;
    throw error;
  } finally {
    sql.close();
  }
}
