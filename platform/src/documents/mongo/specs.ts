import type { ClientSession, Collection, Db, MongoClient } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import type { Index } from '../port.js';
import { toShape, withoutLateIndexes } from '../shape.js';
import type { KnownCollection, WordOrders } from './entry.js';
import { createVocabulary, type Vocabulary } from './vocabulary.js';

/** Cannot clash with a collection of the port: their names have no dot. */
const specsName = 'market.collections';

/** What a collection declares, and how far its creation or removal has come: one row of the database. */
export interface SpecRow {
  readonly _id: string;
  readonly indexes: readonly Index[];
  /** Grows by one whenever indexes are added or the layout changes. */
  readonly version: number;
  /**
   * The collection's name in MongoDB. It is new each time the collection is created, because a transaction that
   * began before a drop recreates the dropped one. Missing in rows of earlier releases: it is then the port's name.
   */
  readonly place?: string;
  /**
   * The step under way, so that another process can finish it. Queries see a collection while it is filled, but
   * not while it is made or dropped.
   */
  readonly doing?: 'making' | 'filling' | 'dropping';
  /** How entries store words. Missing in rows of earlier releases, whose entries had pieces of two letters. */
  readonly layout?: typeof layout;
  /** From which version on entries are counted, by the name of the counted fields. */
  readonly countedSince?: Readonly<Record<string, number>>;
  /** Nobody reads the collection yet, and its late indexes do not exist yet, nor do those of words. */
  readonly loading?: true;
  /** Which indexes of words there are (`WordOrders`). Missing, or true, in rows of earlier releases. */
  readonly wordOrders?: true | 'beside';
}

/** Collections with another layout get the missing indexes, and their entries are filled again. */
export const layout = 'words in order';

/** The published specs of all collections. */
export interface Specs {
  readonly rows: Collection<SpecRow>;
  /** Reads the published spec; null when there is none, or it was dropped. */
  read(name: string): Promise<KnownCollection | null>;
  /** Reads several; the map lacks those that do not exist. */
  readMany(
    names: readonly string[],
    session?: ClientSession,
  ): Promise<ReadonlyMap<string, KnownCollection>>;
  /** The spec as last read, which may be out of date; the same object while nothing changes. */
  remembered(name: string): KnownCollection | null;
  /** The remembered vocabulary, if the collection was stored under this name; else a new one. */
  vocabularyOf(name: string, storedAs: string): Vocabulary;
}

export function createSpecs(db: Db): Specs {
  const rows = db.collection<SpecRow>(specsName);
  const memory = new Map<string, KnownCollection>();

  function vocabularyOf(name: string, storedAs: string): Vocabulary {
    const old = memory.get(name);
    return old?.storedAs === storedAs ? old.vocabulary : createVocabulary(db, storedAs);
  }

  function knownOf(row: SpecRow): KnownCollection {
    const { _id: name, indexes, version } = row;
    const storedAs = storedNameOf(row);
    const countsHold = row.doing !== 'filling';
    const old = memory.get(name);
    const isLoading = row.loading === true;
    const wordOrders = wordOrdersOf(row);
    const isOld = old?.version === version && old.storedAs === storedAs;
    const isSameStep = old?.countsHold === countsHold && old.isLoading === isLoading;
    if (isOld && isSameStep && old.wordOrders === wordOrders) return old;
    const vocabulary = vocabularyOf(name, storedAs);
    const hasWords = row.layout === layout && !isLoading;
    const countedSince = new Map(Object.entries(row.countedSince ?? {}));
    const declared = toShape({ name, indexes });
    const shape = isLoading ? withoutLateIndexes(declared) : declared;
    const words = { vocabulary, hasWords, wordOrders };
    const known = { shape, version, storedAs, ...words, countedSince, countsHold, isLoading };
    memory.set(name, known);
    return known;
  }

  async function readMany(names: readonly string[], session?: ClientSession) {
    const found = await rows
      .find({ _id: { $in: [...names] } }, session ? { session } : readLimits)
      .toArray();
    const there = found.filter(({ doing }) => doing !== 'making' && doing !== 'dropping');
    const known = new Map(there.map((row) => [row._id, knownOf(row)]));
    for (const name of names) if (!known.has(name)) memory.delete(name);
    return known;
  }

  return {
    rows,
    read: async (name) => (await readMany([name])).get(name) ?? null,
    readMany,
    remembered: (name) => memory.get(name) ?? null,
    vocabularyOf,
  };
}

/** Collections of earlier releases get the missing ones when ensured. */
export function wordOrdersOf({ wordOrders }: Pick<SpecRow, 'wordOrders'>): WordOrders {
  if (wordOrders === undefined) return 'own';
  return wordOrders === true ? 'all' : wordOrders;
}

/** The collection's name in MongoDB. */
export const storedNameOf = ({ _id, place }: Pick<SpecRow, '_id' | 'place'>): string =>
  place ?? _id;

/** The database of the collections, and their specs. */
export interface Server {
  readonly client: MongoClient;
  readonly db: Db;
  readonly specs: Specs;
}
