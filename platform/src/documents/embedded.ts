import { notifyWatchers, openSql, startWriter, watch } from '../sqlite/index.js';
import { findPage } from './find.js';
import { findMisindexed } from './misindexed.js';
import {
  type CollectionSpec,
  changesOf,
  type Document,
  type Documents,
  type Filter,
  InvalidDocument,
  type Operation,
  type Query,
  UnknownCollection,
} from './port.js';
import { documentIn, readRows } from './rows.js';
import { canonicalJson } from './scalars.js';
import { collectionNames, createShapeLookup, isEnsured } from './schema.js';
import { checkSpec } from './shape.js';
import { countMatching, facetsOf } from './totals.js';
import {
  type Change,
  type CommitReply,
  type CommitRequest,
  type EnsureRequest,
  schema,
} from './writes.js';

export interface EmbeddedDocumentsOptions {
  readonly file: string;
  /** Called once for each row that a page has left out, because a bad disk or a manual change lost its document. */
  readonly onMissing?: (collection: string, id: string) => void;
  /** The most pages of 8 KiB the file may grow to; tests simulate a small disk with it. */
  readonly maxPages?: number;
}

/**
 * Twice SQLite's default: a document is in two dozen B-trees. With larger pages these are less deep, commits
 * write fewer pages, and counting goods reads fewer. With even larger ones the WAL of a busy market fills too
 * soon.
 */
const pageSize = 8_192;

/** Other processes may lock the file for a moment when they open or close it. */
const busyTimeoutMs = 1_000;

/** Short, because sales and readers of what was just written wait for the one writer. */
const commitMs = 20;
/** Long, because a page of an index that many documents touch is then written once for all of them. */
const loadMs = 500;
/** Larger ones would keep the event loop for longer. */
const loadEvents = 1_000;

/** The most that SQLite maps: address space, not memory. */
const mappedBytes = 2 ** 31 - 65_536;

/**
 * Opens the documents in a SQLite file, which processes may share. Writes run in a thread of their own; reads
 * run synchronously on the calling thread, each in one snapshot.
 *
 * @throws StoreUnavailable when the file cannot be opened.
 */
export async function createEmbeddedDocuments(
  options: EmbeddedDocumentsOptions,
): Promise<Documents> {
  const { file, onMissing: _, ...written } = options;
  // Documents lost in a power cut are built again, as their checkpoints are in the same file.
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: 'documents',
    ...written,
    file,
    synchronous: 'NORMAL',
    secureDelete: true,
    pageSize,
  });
  const missing = new Set<string>();
  const leftOut = (collection: string, id: string) => {
    const name = `${collection}/${id}`;
    if (missing.has(name)) return;
    missing.add(name);
    options.onMissing?.(collection, id);
  };
  const db = openSql(file, { readonly: true, synchronous: 'NORMAL', busyTimeoutMs });
  // Any commit empties a reader's page cache, but mapped pages stay.
  db.exec(`PRAGMA mmap_size = ${mappedBytes}`);
  const shapeNow = createShapeLookup(db);

  function snapshot<T>(work: () => T): T {
    db.run('BEGIN');
    try {
      return work();
    } finally {
      db.run('COMMIT');
    }
  }

  function shapeOrThrow(collection: string) {
    const shape = shapeNow(collection);
    if (!shape) throw new UnknownCollection(collection);
    return shape;
  }

  function getAll(collection: string, ids: readonly string[]): readonly (Document | null)[] {
    return snapshot(() => {
      const found = readRows(db, shapeOrThrow(collection), ids);
      return ids.map((id) => {
        const json = found.get(id);
        return json === undefined ? null : documentIn(db, json);
      });
    });
  }

  return {
    commitMs,
    loadMs,
    loadEvents,
    // Beside others, late indexes are created at once: to create them on many rows would keep all who write waiting.
    async ensure(specs: readonly CollectionSpec[], options = {}) {
      const loading = options.loading === 'alone';
      for (const spec of specs) checkSpec(spec);
      if (snapshot(() => specs.every((spec) => isEnsured(db, spec, loading)))) return;
      const request: EnsureRequest = { specs, loading };
      while (await writer.write<boolean>('ensure', request));
    },
    collections: async () => collectionNames(db),
    async drop(collection) {
      await writer.write('drop', collection);
      notifyWatchers(file);
    },
    async get<D extends Document>(collection: string, id: string) {
      const [document = null] = getAll(collection, [id]);
      return document as D | null;
    },
    async getMany<D extends Document>(collection: string, ids: readonly string[]) {
      return getAll(collection, ids) as readonly (D | null)[];
    },
    async find<D extends Document>(collection: string, query: Query) {
      const missed = (id: string) => leftOut(collection, id);
      return snapshot(() => findPage<D>(db, shapeOrThrow(collection), query, missed));
    },
    async count(collection: string, filter: Filter) {
      return snapshot(() => countMatching(db, shapeOrThrow(collection), filter));
    },
    async facets(collection, filter, fields) {
      return snapshot(() => facetsOf(db, shapeOrThrow(collection), filter, fields));
    },
    async misindexed(collection, ids) {
      return findMisindexed(db, shapeOrThrow(collection), snapshot, ids);
    },
    async commit(operations, guards = []) {
      const request: CommitRequest = {
        changes: operations.map(changeOf),
        guards: guards.map(({ collection, id, expected }) => ({
          collection,
          id,
          json: expected && canonicalJson(expected),
        })),
      };
      const reply = await writer.write<CommitReply>('commit', request);
      if (reply.outcome === 'unknown-collection') throw new UnknownCollection(reply.collection);
      if (reply.outcome === 'committed') notifyWatchers(file);
      return reply.outcome;
    },
    changes: (signal) => changesOf((notify) => watch(file, notify), signal),
    async close() {
      await writer.close();
      db.close();
    },
  };
}

function changeOf(operation: Operation): Change {
  const { collection, id } = operation;
  if (id === '') throw new InvalidDocument('A document needs an id');
  const json = operation.type === 'put' ? canonicalJson(operation.document) : null;
  return { collection, id, json };
}
