import { existsSync } from 'node:fs';
import { asBuffer } from '../sqlite/protocol.js';
import { openSql } from '../sqlite/sql.js';
import { startWriter } from '../sqlite/writer.js';
import {
  KEPT_KEYS_PAGE,
  type KeptKey,
  KeyDestroyed,
  KeyLingers,
  type Keys,
  WrongMasterKey,
} from './port.js';
import { checkKept, createWrapping, rewrapPages, underMasterKey } from './wrapping.js';
import { type AdoptRequest, type ObtainRequest, probesIn, type ReplaceRequest } from './writes.js';

export interface EmbeddedKeysOptions {
  readonly file: string;
  /** 32 bytes: what KEYS_MASTER_KEY decodes to. Never written anywhere. */
  readonly masterKey: Buffer;
  /** Opens keys too, and wraps none: the one before, or the one to come. */
  readonly fallback?: Buffer | null;
  /** The file may not grow beyond this many pages of 4 KiB; a small disk, for tests. */
  readonly maxPages?: number;
  /** How long a key that is destroyed waits for readers to end, in milliseconds. */
  readonly lingerMs?: number;
}

/** Readers take milliseconds; whoever takes this long may never end. */
const LINGER_MS = 5_000;

/**
 * Keys in one SQLite file that overwrites what it deletes. Nothing is cached: another process may
 * destroy a key at any time.
 *
 * @throws StoreUnavailable when the file cannot be used; WrongMasterKey; RangeError for a master key
 *   that is not 32 bytes.
 */
export async function createEmbeddedKeys(options: EmbeddedKeysOptions): Promise<Keys> {
  const { masterKey, fallback = null, lingerMs = LINGER_MS, ...file } = options;
  const wrapping = createWrapping(masterKey, fallback);
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
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

  /** Before anything is wrapped under another master key than the first was: who lacks it is refused from then on. */
  async function beKnown(): Promise<void> {
    if (!isKnown) await writer.write('expect', { probe: wrapping.probe() });
    isKnown = true;
  }

  async function page(after: string | null, limit = KEPT_KEYS_PAGE): Promise<readonly KeptKey[]> {
    // As text: of many rows libsql gives blobs in another shape than of one.
    const rows = sql.all<{ subject: string; hex: string | null }>(
      `SELECT subject, hex FROM (
         SELECT subject, hex(wrapped) AS hex FROM keys UNION ALL SELECT subject, NULL FROM destroyed)
       WHERE subject > ? ORDER BY subject LIMIT ?`,
      [after ?? '', limit],
    );
    return rows.map(({ subject, hex }) => ({
      subject,
      wrapped: hex === null ? null : Buffer.from(hex, 'hex').toString('base64'),
    }));
  }

  async function destroy(subject: string): Promise<boolean> {
    const existed = await writer.write<boolean>('destroy', { subject });
    // Also when there was none: an earlier try may have ended between its commit and this.
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
      // What had a key here must leave no trace of it.
      for (const { subject } of gone) await destroy(subject);
    },

    async close() {
      await writer.close();
      sql.close();
    },
  };
}

/**
 * The subjects whose keys were destroyed in an embedded keys file, whatever its master key; none where
 * there is no file. Who replaces the file by an older copy must destroy them there too.
 */
export function destroyedIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const sql = openSql(file, { synchronous: 'FULL' });
  try {
    const made = sql.get("SELECT 1 FROM sqlite_master WHERE name = 'destroyed'") !== undefined;
    if (!made) return [];
    return sql
      .all<{ subject: string }>('SELECT subject FROM destroyed ORDER BY subject')
      .map(({ subject }) => subject);
  } finally {
    sql.close();
  }
}

/** Whether an embedded keys file, such as a backup's, opens with these master keys; it stays as it is. */
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
