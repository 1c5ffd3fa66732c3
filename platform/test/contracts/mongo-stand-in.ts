import { isDeepStrictEqual } from 'node:util';
import type { MongoConnection } from '@oja/platform';
import { aggregate, find, update } from 'mingo';
import { type AnyBulkWriteOperation, type MongoClient, MongoServerError } from 'mongodb';

/**
 * A fake MongoDB on plain maps, with as much as the adapters use: `mingo` answers queries, sorts and
 * pipelines as MongoDB does. It tests the adapters' logic; how a server behaves, only a real one can show.
 * Transactions see a snapshot, and restart when another connection has written meanwhile.
 */
type Row = Record<string, unknown> & { readonly _id: string };
type Rows = ReadonlyMap<string, Row>;
type Part = Record<string, unknown>;

interface Options {
  readonly session?: Session;
  readonly sort?: Record<string, 1 | -1>;
  readonly limit?: number;
  readonly projection?: Record<string, 1>;
  readonly upsert?: boolean;
  readonly returnDocument?: 'before' | 'after';
}

interface View {
  rows: Map<string, Rows>;
  /** Collections that belong to this view alone: a transaction copies a collection at its first write to it. */
  readonly own: Map<string, Map<string, Row>>;
  isChanged: boolean;
}

interface Session {
  view: View | null;
  withTransaction<T>(work: () => Promise<T>): Promise<T>;
  abortTransaction(): Promise<void>;
}

/** MongoDB compares text by its bytes, JavaScript by its UTF-16 code units, so text is stored as its bytes. */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (held: string) => Buffer.from(held, 'latin1').toString('utf8');

function mapped(value: unknown, of: (text: string) => string): unknown {
  if (typeof value === 'string') return of(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, of));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapped(member, of)]),
  );
}

const stored = <T>(value: T): T => mapped(value, bytes) as T;
const given = <T>(value: T): T => mapped(value, textOf) as T;

const duplicate = (id: string) =>
  new MongoServerError({ message: `E11000 duplicate key ${id}`, code: 11_000 });

/** Creates a fake server; each `connect` stands for another process. */
export function createStandIn(): { connect(): Promise<MongoConnection> } {
  const shared: View = { rows: new Map(), own: new Map(), isChanged: false };
  let version = 0;
  const watchers = new Map<string, Set<() => void>>();

  const viewOf = (session: Session | undefined) => session?.view ?? shared;

  function write(
    name: string,
    session: Session | undefined,
    work: (rows: Map<string, Row>) => void,
  ): void {
    const view = viewOf(session);
    const rows = view.own.get(name) ?? new Map(view.rows.get(name));
    work(rows);
    view.rows.set(name, rows);
    view.isChanged = true;
    if (view === shared) changed([name]);
    else view.own.set(name, rows);
  }

  function changed(names: readonly string[]): void {
    version += 1;
    for (const name of names) for (const tell of watchers.get(name) ?? []) tell();
  }

  function collection(name: string) {
    const rowsIn = (session?: Session): Rows => viewOf(session).rows.get(name) ?? new Map();

    /** Rows that may match: the one with the wanted id, as a server would look it up, otherwise all. */
    function candidates(wanted: Part, session?: Session): Row[] {
      const rows = rowsIn(session);
      if (typeof wanted._id !== 'string') return [...rows.values()];
      const row = rows.get(wanted._id);
      return row ? [row] : [];
    }

    function query(filter: Part, { session, sort, limit, projection }: Options = {}): Part[] {
      const wanted = stored(filter);
      let cursor = find<Part>(candidates(wanted, session), wanted, projection);
      if (sort) cursor = cursor.sort(sort);
      if (limit !== undefined) cursor = cursor.limit(limit);
      return given(cursor.all());
    }

    const firstOf = (filter: Part, session?: Session): Row | null => {
      const wanted = stored(filter);
      const found = find<Part>(candidates(wanted, session), wanted).all()[0];
      return found ? (rowsIn(session).get(found._id as string) ?? null) : null;
    };

    const put = (row: Row, session: Session | undefined): void =>
      write(name, session, (rows) => rows.set(row._id, row));

    function remove(ids: readonly string[], session?: Session): number {
      let gone = 0;
      write(name, session, (rows) => {
        gone = ids.filter((id) => rows.delete(id)).length;
      });
      return gone;
    }

    function insert(row: Row, session?: Session): void {
      if (rowsIn(session).has(row._id)) throw duplicate(row._id);
      put(row, session);
    }

    /** Applies an update. Returns the row before and after it, in stored form. */
    function change(filter: Part, modifier: Part, { session, upsert }: Options) {
      const { $setOnInsert = {}, ...always } = stored(modifier);
      const before = firstOf(filter, session);
      if (!before && !upsert) return { before, after: null };
      const after: Row = structuredClone(before ?? { _id: bytes(String(filter._id)) });
      update(after, always);
      if (before) put(after, session);
      else {
        update(after, { $set: $setOnInsert as Part });
        insert(after, session);
      }
      return { before, after };
    }

    function replace(filter: Part, replacement: Part, { session, upsert }: Options): void {
      const before = firstOf(filter, session);
      const row: Row = { ...stored(replacement), _id: bytes(String(filter._id)) };
      if (before) put(row, session);
      else if (upsert) insert(row, session);
    }

    return {
      findOne: async (filter: Part, options?: Options) => query(filter, options)[0] ?? null,
      find: (filter: Part, options?: Options) => ({ toArray: async () => query(filter, options) }),
      distinct: async (field: string) => [...new Set(query({}).map((row) => row[field]))],
      countDocuments: async (filter: Part, options?: Options) => query(filter, options).length,
      estimatedDocumentCount: async () => rowsIn().size,
      aggregate: (pipeline: Part[], { session }: Options = {}) => ({
        toArray: async () => given(aggregate([...rowsIn(session).values()], stored(pipeline))),
      }),
      async insertOne(row: Row, { session }: Options = {}) {
        insert(stored(row), session);
      },
      async updateOne(filter: Part, modifier: Part, options: Options = {}) {
        const { before, after } = change(filter, modifier, options);
        return {
          matchedCount: before ? 1 : 0,
          modifiedCount: before && !isDeepStrictEqual(before, after) ? 1 : 0,
          upsertedCount: !before && after ? 1 : 0,
        };
      },
      async findOneAndUpdate(filter: Part, modifier: Part, options: Options = {}) {
        const { before, after } = change(filter, modifier, options);
        return given(options.returnDocument === 'after' ? after : before);
      },
      async deleteOne(filter: Part, { session }: Options = {}) {
        const found = firstOf(filter, session);
        return { deletedCount: found ? remove([found._id], session) : 0 };
      },
      async deleteMany(filter: Part, { session }: Options = {}) {
        const found = query(filter, session ? { session } : {});
        // Batches of words have numbers for ids.
        const ids = found.map(({ _id }) => (typeof _id === 'string' ? bytes(_id) : _id) as string);
        return { deletedCount: remove(ids, session) };
      },
      async bulkWrite(operations: readonly AnyBulkWriteOperation[], options: Options = {}) {
        for (const operation of operations) {
          if ('replaceOne' in operation) {
            const { filter, replacement, upsert = false } = operation.replaceOne;
            replace(filter, replacement, { ...options, upsert });
          } else if ('insertOne' in operation) {
            const { document }: { readonly document: object } = operation.insertOne;
            insert(stored(document as Row), options.session);
          } else if ('deleteOne' in operation) {
            const found = firstOf(operation.deleteOne.filter, options.session);
            if (found) remove([found._id], options.session);
          } else if ('updateOne' in operation) {
            const { filter, update: modifier, upsert = false } = operation.updateOne;
            change(filter, modifier as Part, { ...options, upsert });
          } else throw new Error(`The stand-in does not know ${Object.keys(operation)}`);
        }
      },
      createIndex: async () => name,
      createIndexes: async () => [name],
      indexes: async () => [],
      watch: () => watching(name),
    };
  }

  function watching(name: string) {
    let wake = () => {};
    let isClosed = false;
    let isNew = false;
    const tell = () => {
      isNew = true;
      wake();
    };
    const known = watchers.get(name) ?? new Set();
    watchers.set(name, known.add(tell));
    return {
      async close() {
        isClosed = true;
        known.delete(tell);
        wake();
      },
      async *[Symbol.asyncIterator]() {
        while (!isClosed) {
          if (isNew) {
            isNew = false;
            yield {};
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      },
    };
  }

  function createSession(): Session {
    const session: Session = {
      view: null,
      async withTransaction(work) {
        for (;;) {
          const began = version;
          const view: View = { rows: new Map(shared.rows), own: new Map(), isChanged: false };
          session.view = view;
          const result = await work().finally(() => {
            // The transaction was aborted or is at its end; an aborted one has nothing to commit.
            if (session.view !== view) view.isChanged = false;
            session.view = null;
          });
          if (!view.isChanged) return result;
          if (version !== began) continue;
          const names = [...view.rows.keys()].filter(
            (name) => view.rows.get(name) !== shared.rows.get(name),
          );
          shared.rows = view.rows;
          changed(names);
          return result;
        }
      },
      async abortTransaction() {
        session.view = null;
      },
    };
    return session;
  }

  const client = {
    db: (database: string) => ({
      collection: (name: string) => collection(`${database}/${name}`),
      createCollection: async () => {},
      dropCollection: async (name: string) => {
        shared.rows.delete(`${database}/${name}`);
        changed([]);
      },
    }),
    withSession: <T>(work: (session: Session) => Promise<T>) => work(createSession()),
  };
  // The part of a client that the adapters use.
  const connection = {
    client: client as unknown as MongoClient,
    name: 'oja',
    close: async () => {},
  };
  return { connect: async () => connection };
}
