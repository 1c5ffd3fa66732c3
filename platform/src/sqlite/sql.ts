import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { NoRoom, StoreUnavailable } from '../eventstore/port.js';

/** A value that can be bound. A number without a fraction is stored as INTEGER. */
export type Parameter = string | number | bigint | Buffer | null;

/** A value that must not reach libsql, which would abort the process or store something else. */
export class ForbiddenParameter extends Error {
  override readonly name = 'ForbiddenParameter';

  constructor(index: number, why: string) {
    super(`SQL parameter ${index + 1} ${why}`);
  }
}

const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);
const loneSurrogate = /\p{Surrogate}/u;

function bindable(value: unknown, index: number): Parameter {
  switch (typeof value) {
    case 'string':
      // libsql silently cuts text at a NUL and replaces a lone surrogate.
      if (value.includes('\0')) throw new ForbiddenParameter(index, 'is text with a NUL in it');
      if (loneSurrogate.test(value)) throw new ForbiddenParameter(index, 'is not well-formed text');
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new ForbiddenParameter(index, `is ${value}`);
      // libsql binds every number as REAL, which a column without affinity would keep.
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'bigint':
      if (value > largestInteger || value < smallestInteger) {
        throw new ForbiddenParameter(index, 'does not fit into 64 bits');
      }
      return value;
    default:
      if (value === null || Buffer.isBuffer(value)) return value;
      throw new ForbiddenParameter(index, `is ${describeType(value)}`);
  }
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `an object (${value?.constructor?.name ?? 'no class'})`;
  return `of type ${typeof value}`;
}

/**
 * Checks the parameters and converts them for libsql. Types alone do not protect: values come from JSON and
 * from other threads, and on a boolean libsql aborts the whole process, which no `catch` stops.
 *
 * @throws ForbiddenParameter naming the first that is not well-formed text without NUL, a finite number, a
 *   bigint of 64 bits, a Buffer or null.
 */
export function checkedParameters(parameters: readonly unknown[]): Parameter[] {
  return parameters.map(bindable);
}

export interface SqlOptions {
  /** For reads on the calling thread; the file must exist. */
  readonly readonly?: boolean;
  /** The file changes no more: it is read without a lock, and SQLite makes no files beside it. */
  readonly immutable?: boolean;
  /** FULL: a commit is on disk when it returns. NORMAL: not yet, so only for data that can be rebuilt. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Overwrites deleted data with zeros. */
  readonly secureDelete?: boolean;
  /** How long a statement waits for a lock, in milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
  /** Page size of a new file in bytes: a power of two from 512 to 65,536. Default 4,096. */
  readonly pageSize?: number;
  /** The most pages the file may grow to; tests simulate a small disk with it. */
  readonly maxPages?: number;
}

/**
 * One connection. Integers beyond 2^53 come back rounded: store them as text. Rows are plain objects of the
 * selected columns; `T` is not checked, so the caller's own schema must guarantee it.
 */
export interface Sql {
  readonly file: string;
  /** Returns how many rows changed. */
  run(text: string, parameters?: readonly Parameter[]): number;
  /** Returns the rowid of the inserted row; null when none was inserted. */
  insert(text: string, parameters: readonly Parameter[]): number | null;
  all<T>(text: string, parameters?: readonly Parameter[]): T[];
  get<T>(text: string, parameters?: readonly Parameter[]): T | undefined;
  /** One or more statements without parameters, not cached. */
  exec(text: string): void;
  /** Runs `work` between `BEGIN IMMEDIATE` and `COMMIT`; rolls back when it throws. */
  transaction<T>(work: () => T): T;
  inTransaction(): boolean;
  /** A number that changes when another connection, in any process, has committed. */
  dataVersion(): number;
  close(): void;
}

/** A file that cannot be read: it is damaged, truncated, or not a database at all. */
export class DamagedFile extends StoreUnavailable {
  override readonly name = 'DamagedFile';

  constructor(
    file: string,
    /** SQLite's name for the error. */
    readonly code: string,
    said: string,
  ) {
    super('SQLite', `${file} is damaged (${said})`, true);
  }
}

/** Files that this process has found damaged, with the error message. */
const damaged = new Map<string, string>();

/** The damage that this process has met in a file, which it then no longer writes to; null: none. */
export const whyDamaged = (file: string): string | null => damaged.get(file) ?? null;

/** To be called when a file is opened again, since a sound copy may have replaced it. */
export const forgetDamage = (file: string): boolean => damaged.delete(file);

/** Records damage met in a file, so that this process no longer writes to it. Returns the error to throw. */
export function damageIn(file: string, said: string, code = 'SQLITE_CORRUPT'): DamagedFile {
  const error = new DamagedFile(file, code, said);
  damaged.set(file, error.message);
  return error;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text that was read as bytes (`CAST(… AS BLOB)`): on text that is not UTF-8 libsql aborts the process. `what` it is,
 * for the message. @throws DamagedFile
 */
export function textIn({ file }: Pick<Sql, 'file'>, bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw damageIn(file, `${what} is no text`);
  }
}

/** The value of a JSON text of the file; `T` is not checked. @throws DamagedFile */
export function valueIn<T>({ file }: Pick<Sql, 'file'>, json: string, what: string): T {
  try {
    return JSON.parse(json) as T;
  } catch {
    throw damageIn(file, `${what} is no JSON`);
  }
}

/** The error to rethrow: a DamagedFile with the file name if the file is damaged, else the error itself. */
function withFileName(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  const isDamage = code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_NOTADB');
  return isDamage && code && error instanceof Error ? damageIn(file, error.message, code) : error;
}

/** Bounds the cache of prepared statements. Texts are few, because values are bound as parameters. */
const maxStatements = 256;
/** Tries, 10 ms apart. The switch to WAL needs the file alone for a moment; busy_timeout does not cover that. */
const maxWalTries = 500;

/**
 * Opens a SQLite file in WAL mode; creates a missing one, unless `readonly`.
 *
 * @throws NoRoom when its disk is full; Error when the file cannot be opened otherwise, or is missing for a readonly
 *   connection.
 */
export function openSql(file: string, options: SqlOptions): Sql {
  if (options.readonly && !existsSync(file)) throw new Error(`There is no file ${file}`);
  const timeout = options.busyTimeoutMs ?? 2_000;
  const address = options.immutable ? `${pathToFileURL(file).href}?immutable=1` : file;
  const database = new Database(address, { timeout });
  const statements = new Map<string, ReturnType<typeof database.prepare>>();

  function prepared(text: string) {
    const known = statements.get(text);
    if (known) {
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    if (statements.size >= maxStatements) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest);
        break;
      }
    }
    statements.set(text, statement);
    return statement;
  }

  const sql: Sql = {
    file,
    run(text, parameters = []) {
      try {
        return prepared(text).run(checkedParameters(parameters)).changes;
      } catch (error) {
        throw withFileName(file, error);
      }
    },
    insert(text, parameters) {
      try {
        const { changes, lastInsertRowid } = prepared(text).run(checkedParameters(parameters));
        return changes === 0 ? null : Number(lastInsertRowid);
      } catch (error) {
        throw withFileName(file, error);
      }
    },
    all<T>(text: string, parameters: readonly Parameter[] = []) {
      try {
        return prepared(text).all(checkedParameters(parameters)) as T[];
      } catch (error) {
        throw withFileName(file, error);
      }
    },
    get<T>(text: string, parameters: readonly Parameter[] = []) {
      try {
        const row = prepared(text).get(checkedParameters(parameters));
        // libsql adds its timing to the row.
        if (typeof row === 'object' && row !== null) Reflect.deleteProperty(row, '_metadata');
        return row as T | undefined;
      } catch (error) {
        throw withFileName(file, error);
      }
    },
    exec(text) {
      try {
        database.exec(text);
      } catch (error) {
        throw withFileName(file, error);
      }
    },
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite rolls back by itself when the disk is full.
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    inTransaction: () => database.inTransaction,
    dataVersion() {
      return sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
    },
    close() {
      statements.clear();
      database.close();
    },
  };

  try {
    setUp(sql, options);
    return sql;
  } catch (error) {
    database.close();
    throw isFull(error) ? unopenedError(file) : error;
  }
}

function setUp(sql: Sql, options: SqlOptions): void {
  if (options.readonly) {
    sql.exec('PRAGMA query_only = ON');
    return;
  }
  if (options.pageSize) sql.exec(`PRAGMA page_size = ${options.pageSize}`);
  useWal(sql);
  sql.exec(`PRAGMA synchronous = ${options.synchronous}`);
  sql.exec(`PRAGMA secure_delete = ${options.secureDelete ? 'ON' : 'OFF'}`);
  if (options.maxPages) sql.exec(`PRAGMA max_page_count = ${options.maxPages}`);
}

/** The error for a file that there is no room to open: the first connection makes shared memory beside it. */
export const unopenedError = (file: string): NoRoom =>
  new NoRoom(`${file} cannot be opened, because its disk is full`);

function useWal(sql: Sql): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      sql.get('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === maxWalTries) throw error;
      pause(10);
    }
  }
}

/** Blocks the calling thread, also the main thread when it opens a file. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** SQLite's name for an error (`SQLITE_BUSY`), or null for an error that is not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
}

/** Whether another connection holds the lock, so that the same statement will work later. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

const brokenStore = ['FULL', 'IOERR', 'CORRUPT', 'NOTADB', 'READONLY', 'CANTOPEN', 'NOMEM'];

/** Whether there was no room for pages, or for the shared memory beside the file; nothing was written. */
export function isFull(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE';
}

/** Whether the file or its disk cannot be trusted with another write. */
export function isBroken(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && brokenStore.some((name) => code.startsWith(`SQLITE_${name}`));
}

/** The same bytes as a Buffer, the only binary type that can be bound. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
