import { existsSync } from 'node:fs';
import Database from 'libsql';
import { StoreUnavailable } from '../eventstore/port.js';

/** What may be bound. Integers stay integers: a number without a fraction is stored as INTEGER. */
export type Parameter = string | number | bigint | Buffer | null;

/** A value that must not reach libsql: it would end the process, or be stored as something else. */
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
      // libsql cuts text at a NUL and replaces half a surrogate pair, both without a word.
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
      throw new ForbiddenParameter(index, `is ${kindOf(value)}`);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `an object (${value?.constructor?.name ?? 'no class'})`;
  return `of type ${typeof value}`;
}

/**
 * The parameters as libsql may have them. Types alone do not protect: values come from JSON and from
 * other threads, and libsql aborts the whole process on a boolean, where no `catch` helps.
 *
 * @throws ForbiddenParameter naming the first one that is not text, a finite number, a bigint, a
 *   Buffer or null.
 */
export function checkedParameters(parameters: readonly unknown[]): Parameter[] {
  return parameters.map(bindable);
}

export interface SqlOptions {
  /** For reads on the calling thread; the file must exist. */
  readonly readonly?: boolean;
  /** FULL: a commit is on disk when it returns. NORMAL: only for what can be built again. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Overwrites what is deleted with zeros. */
  readonly secureDelete?: boolean;
  /** How long a statement waits for a lock, in milliseconds. Default 2,000. */
  readonly busyTimeoutMs?: number;
  /** Of a file that is made now, in bytes: a power of two from 512 to 65,536. Default 4,096. */
  readonly pageSize?: number;
  /** The file may not grow beyond this many pages; a small disk, for tests. */
  readonly maxPages?: number;
}

/**
 * One connection. Integers beyond 2^53 come back rounded: keep them as text. Rows are plain objects
 * of the columns selected; `T` is what the caller's own schema promises.
 */
export interface Sql {
  readonly file: string;
  /** How many rows changed. */
  run(text: string, parameters?: readonly Parameter[]): number;
  /** The id of the row that was inserted, or null: none was. */
  insert(text: string, parameters: readonly Parameter[]): number | null;
  all<T>(text: string, parameters?: readonly Parameter[]): T[];
  get<T>(text: string, parameters?: readonly Parameter[]): T | undefined;
  /** One or more statements without parameters, not cached. */
  exec(text: string): void;
  /** `BEGIN IMMEDIATE`, `work`, `COMMIT`; rolled back when `work` throws. */
  transaction<T>(work: () => T): T;
  inTransaction(): boolean;
  /** Changes when any other connection, in whatever process, has committed. */
  dataVersion(): number;
  close(): void;
}

/** A file that nobody can make sense of: it is damaged, cut, or not a database at all. */
export class DamagedFile extends StoreUnavailable {
  override readonly name = 'DamagedFile';

  constructor(
    file: string,
    /** SQLite's own name of the error. */
    readonly code: string,
    said: string,
  ) {
    super(`${file} is damaged (${said})`, true);
  }
}

/** Files that this process has found damaged, and what it was told. */
const damaged = new Map<string, string>();

/** Why a file is written no more: this process has met damage in it; null while it has not. */
export const whyDamaged = (file: string): string | null => damaged.get(file) ?? null;

/** Told by who opens a file: it may have been put back. */
export const forgetDamage = (file: string): boolean => damaged.delete(file);

/** Damage that was met in a file: from then on this process writes nothing to it. */
export function damageIn(file: string, said: string, code = 'SQLITE_CORRUPT'): DamagedFile {
  const error = new DamagedFile(file, code, said);
  damaged.set(file, error.message);
  return error;
}

/** The error as it is thrown on, which names the file where that is what is wrong. */
function named(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  const isDamage = code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_NOTADB');
  return isDamage && code && error instanceof Error ? damageIn(file, error.message, code) : error;
}

/** Preparing without end grows memory without bound; texts are few where parameters are bound. */
const maxStatements = 256;
/** The switch to WAL needs the file for itself for a moment, and busy_timeout does not cover it. */
const maxWalTries = 500;

/**
 * Opens (and makes, unless `readonly`) a SQLite file in WAL mode.
 *
 * @throws Error when the file cannot be opened, or is not there for a readonly connection.
 */
export function openSql(file: string, options: SqlOptions): Sql {
  if (options.readonly && !existsSync(file)) throw new Error(`There is no file ${file}`);
  const timeout = options.busyTimeoutMs ?? 2_000;
  const database = new Database(file, { timeout });
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
        throw named(file, error);
      }
    },
    insert(text, parameters) {
      try {
        const { changes, lastInsertRowid } = prepared(text).run(checkedParameters(parameters));
        return changes === 0 ? null : Number(lastInsertRowid);
      } catch (error) {
        throw named(file, error);
      }
    },
    all<T>(text: string, parameters: readonly Parameter[] = []) {
      try {
        return prepared(text).all(checkedParameters(parameters)) as T[];
      } catch (error) {
        throw named(file, error);
      }
    },
    get<T>(text: string, parameters: readonly Parameter[] = []) {
      try {
        const row = prepared(text).get(checkedParameters(parameters));
        // libsql adds its timing to the row.
        if (typeof row === 'object' && row !== null) Reflect.deleteProperty(row, '_metadata');
        return row as T | undefined;
      } catch (error) {
        throw named(file, error);
      }
    },
    exec(text) {
      try {
        database.exec(text);
      } catch (error) {
        throw named(file, error);
      }
    },
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk rolls back by itself.
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

  if (options.readonly) {
    sql.exec('PRAGMA query_only = ON');
  } else {
    if (options.pageSize) sql.exec(`PRAGMA page_size = ${options.pageSize}`);
    useWal(sql);
    sql.exec(`PRAGMA synchronous = ${options.synchronous}`);
    sql.exec(`PRAGMA secure_delete = ${options.secureDelete ? 'ON' : 'OFF'}`);
    if (options.maxPages) sql.exec(`PRAGMA max_page_count = ${options.maxPages}`);
  }
  return sql;
}

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

/** Blocks this thread; for writer threads, which have nothing else to do. Milliseconds. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** SQLite's own name of an error (`SQLITE_BUSY`), or null for an error that is not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
}

/** Another connection holds the lock; the same statement will work later. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

const brokenStore = ['FULL', 'IOERR', 'CORRUPT', 'NOTADB', 'READONLY', 'CANTOPEN', 'NOMEM'];

/** There was no room for the pages, or for the shared memory beside the file: nothing was written. */
export function isFull(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE';
}

/** The file or the disk under it cannot be trusted with another write. */
export function isBroken(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && brokenStore.some((name) => code.startsWith(`SQLITE_${name}`));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
