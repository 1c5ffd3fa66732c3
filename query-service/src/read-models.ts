import {
  type CatalogueCollections,
  type IncomeCollections,
  type LedgerCollections,
  readModels as models,
  type NotificationsCollections,
  type ReviewsCollections,
  type SalesCollections,
  type SellersCollections,
  type TimelineCollections,
  type TransactionsCollections,
} from '@oja/contracts/models';
import { businessNameKey, searchWords } from '@oja/domain/rules';
import {
  type Checkpoint,
  type Condition,
  type Document,
  type Documents,
  eachDocument,
  eachPage,
  type Filter,
  type Query,
  type ReadModels,
  type Scalar,
} from '@oja/platform';
import { isOpen, type OpenStore } from './wire/goods.js';

/** The read models that this service shows, and the document types of their collections. */
interface ShownModels {
  readonly catalogue: CatalogueCollections;
  readonly sellers: SellersCollections;
  readonly transactions: TransactionsCollections;
  readonly notifications: NotificationsCollections;
  readonly reviews: ReviewsCollections;
  readonly ledger: LedgerCollections;
  readonly timeline: TimelineCollections;
  readonly sales: SalesCollections;
  readonly income: IncomeCollections;
}
type ShownModel = keyof ShownModels;

/** One collection of one generation. */
export type Collection<D extends Document> = ReturnType<typeof collectionOf<D>>;

/** The live generation of a read model. Open it once per request, so that all collections are of one generation. */
interface OpenModel<C> {
  readonly generation: number;
  of<K extends keyof C & string>(name: K): Collection<Extract<C[K], Document>>;
}

export interface Reader {
  /** @throws ReadModelMissing while no projector has begun the model. */
  open<M extends ShownModel>(model: M): Promise<OpenModel<ShownModels[M]>>;
  /** How far the live generation has come; null while there is none. */
  checkpointOf(model: ShownModel): Promise<Checkpoint | null>;
}

function collectionOf<D extends Document>(documents: Documents, name: string) {
  return {
    get: (id: string) => documents.get<D>(name, id),
    getMany: (ids: readonly string[]) => documents.getMany<D>(name, ids),
    find: (query: Query) => documents.find<D>(name, query),
    /** The pages of what the query finds, each read when it is asked for. */
    pages: (query: Omit<Query, 'cursor'>) => eachPage<D>(documents, name, query),
    /** Every document that the query finds, page by page. */
    each: (query: Pick<Query, 'filter' | 'sort'>) => eachDocument<D>(documents, name, query),
    count: (filter: Filter) => documents.count(name, filter),
    facets: (filter: Filter, fields: readonly string[]) => documents.facets(name, filter, fields),
  };
}

/** Reads the live read models, with the document types of `contracts`. */
export function createReader(documents: Documents, readModels: ReadModels): Reader {
  return {
    async open(model) {
      const live = await readModels.live(models[model]);
      return {
        generation: live.generation,
        of: (name) => collectionOf(documents, live.collection(name)),
      };
    },
    checkpointOf: (model) => readModels.checkpointOf(models[model]),
  };
}

export const equal = (field: string, value: Scalar): Condition => ({ field, op: 'eq', value });

/** Sellers search what is their own from the first letter on: it is few, and names such as LG or TV are short. */
const OWN_MIN_LENGTH = 1;

/** The words that a seller looks for in a list of their own; of nothing, no condition. */
export function withOwnWords(field: string, find = ''): readonly Condition[] {
  const words = searchWords(find, OWN_MIN_LENGTH);
  return words === null ? [] : [{ field, op: 'words', words }];
}

export const ascending = (...fields: readonly string[]) =>
  fields.map((field) => ({ field, order: 'asc' }) as const);
export const descending = (...fields: readonly string[]) =>
  fields.map((field) => ({ field, order: 'desc' }) as const);

/** The store with this business name, or its form in addresses; null when no seller goes by it. */
export async function storeByName(
  catalogue: OpenModel<ShownModels['catalogue']>,
  name: string,
): Promise<OpenStore | null> {
  const filter = [equal('businessNameKey', businessNameKey(name))];
  const page = await catalogue.of('stores').find({ filter });
  return page.items.map(({ document }) => document).find(isOpen) ?? null;
}

/**
 * The default size of a cache. With more entries, few are asked for again in time. Large values
 * need a smaller one.
 */
const MAX_CACHED = 500;

/**
 * The version of a model: it changes with every event that the model passes, and with every repair.
 * @throws ReadModelMissing
 */
export async function versionOf(reader: Reader, model: ShownModel): Promise<string> {
  const [open, checkpoint] = await Promise.all([reader.open(model), reader.checkpointOf(model)]);
  return `${open.generation}-${checkpoint?.position ?? 'empty'}-${checkpoint?.repairs ?? 0}`;
}

/**
 * Caches values that are made from one model alone, by key, until the model changes. Concurrent
 * callers share one computation; a failure is not cached. The version is read first, so a value is
 * never older than its version says.
 */
export function createCheckpointCache<V>(reader: Reader, model: ShownModel, most = MAX_CACHED) {
  let version = '';
  let kept = new Map<string, Promise<V>>();

  return async (key: string, make: () => Promise<V>): Promise<V> => {
    const now = await versionOf(reader, model);
    if (now !== version || kept.size >= most) {
      version = now;
      kept = new Map();
    }
    const own = kept;
    const known = own.get(key);
    if (known !== undefined) return known;
    const made = make();
    own.set(key, made);
    made.catch(() => own.delete(key));
    return made;
  };
}
