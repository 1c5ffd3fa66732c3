import type { Collection } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import type { Filter } from '../port.js';
import type { Shape, SqlIndex } from '../shape.js';
import { servedBy } from '../sources.js';
import { wordsIn } from '../words.js';
import { keyInOrder, keyOf, wordOrders } from './collections.js';
import type { Entry, KnownCollection } from './entry.js';
import { allOf, type EntryFilter, filterOf, wordsAt } from './queries.js';

/**
 * The server tries several plans for a new kind of query, caches one, and reuses it for queries that match far
 * more. So the plan is chosen here, by how many entries can match, and passed as a hint.
 */

/** This many entries are read, tested and sorted in a few milliseconds, whatever the rest of the query. */
const few = 1_000;

type Key = ReadonlyMap<string, 1 | -1>;

/** Extra clauses that follow from a filter and that an index can serve, and the index to use. */
export interface Plan {
  readonly clauses: readonly EntryFilter[];
  /** Null: the server chooses. */
  readonly hint: Key | null;
}

/** A range of an index that holds all entries that can match. */
interface Source {
  readonly clause: EntryFilter;
  /** The same, in a form that the index alone can count. */
  readonly counted: EntryFilter;
  readonly hint: Key;
  /** For a source of words: their field and their number. */
  readonly words?: { readonly field: string; readonly count: number };
}

/** The most walks, one for each word, that the server has to merge into one order. */
const mostWalks = 100;

interface Counted extends Source {
  readonly rows: number;
}

/** For each searched piece, the words of which an entry must have one; null matches entries of earlier releases. */
function wordSources({ vocabulary, hasWords }: KnownCollection, filter: Filter): readonly Source[] {
  if (!hasWords) return [];
  return filter.flatMap((condition) => {
    if (condition.op !== 'words') return [];
    const path = wordsAt(condition.field);
    return [...new Set(condition.words.flatMap(wordsIn))].flatMap((piece): readonly Source[] => {
      const words = vocabulary.holding(condition.field, piece);
      if (words === null) return [];
      const clause = { [path]: { $in: [...words, null] } };
      const counted = { [path]: { $in: [...words] } };
      const of = { field: condition.field, count: words.length };
      return [{ clause, counted, hint: new Map([[path, 1]]), words: of }];
    });
  });
}

/** Ranges with a condition that the walk's own range lacks. */
function rangeSources(shape: Shape, filter: Filter, walk: SqlIndex): readonly Source[] {
  const walked = servedBy({ ...walk, by: [] }, filter);
  const byServed = new Map<string, Source>();
  for (const index of shape.sqlIndexes) {
    const served = servedBy(index, filter);
    const name = served.map((condition) => filter.indexOf(condition)).join();
    if (served.every((condition) => walked.includes(condition)) || byServed.has(name)) continue;
    const clause = filterOf(served);
    byServed.set(name, { clause, counted: clause, hint: keyOf(index, index.order) });
  }
  return [...byServed.values()];
}

/** The source with the fewest entries, counted up to `bound` + 1. */
async function narrowest(
  entries: Collection<Entry>,
  sources: readonly Source[],
  bound: number,
): Promise<Counted | null> {
  const limit = bound + 1;
  const counted = await Promise.all(
    sources.map(async (source): Promise<Counted> => {
      const options = { limit, hint: Object.fromEntries(source.hint), ...readLimits };
      return { ...source, rows: await entries.countDocuments(source.counted, options) };
    }),
  );
  return counted.sort((one, other) => one.rows - other.rows)[0] ?? null;
}

/**
 * The plan for counting, or for reading without a limit: by the piece of a word that is in the fewest entries.
 * Only one piece, because an index of lists cannot serve two values at once.
 */
export async function narrowingOf(
  entries: Collection<Entry>,
  known: KnownCollection,
  filter: Filter,
): Promise<Plan | null> {
  const found = await narrowest(entries, wordSources(known, filter), few);
  if (found === null) return null;
  return { clauses: [found.clause], hint: found.rows > few ? null : found.hint };
}

/**
 * The plan that walks along the entries with one of a source's words in the order of the page, one walk for each word.
 * Null: it is no source of words, no index has them in this order, or there are too many words.
 */
function walkOfWords(
  { shape, hasWordOrders }: KnownCollection,
  filter: Filter,
  { by, order }: SqlIndex,
  { words, clause }: Source,
): Plan | null {
  if (words === undefined || words.count > mostWalks) return null;
  const { field } = words;
  const isEqual = (one: string) => filter.some(({ op, field: of }) => op === 'eq' && of === one);
  const index = wordOrders(shape, field).find(
    (one) =>
      (hasWordOrders || one.by.join() === field) &&
      one.by.join() === by.join() &&
      (one.bothWays || one.order === order) &&
      one.fields.every(isEqual),
  );
  return index ? { clauses: [clause], hint: keyInOrder(index, field, order) } : null;
}

/**
 * The plan for a page: a narrow range, sorted afterwards, or a walk along the index that has the order, testing
 * each entry. If h of n entries match, a walk to `wanted` of them tests wanted × n / h; a source reads its h
 * entries. So the source is cheaper up to h = √(wanted × n). A walk along the entries of one word is never more
 * expensive than to read them all.
 */
export async function pagePlan(
  entries: Collection<Entry>,
  known: KnownCollection,
  filter: Filter,
  walk: SqlIndex,
  wanted: number,
): Promise<Plan> {
  const sources = [...wordSources(known, filter), ...rangeSources(known.shape, filter, walk)];
  const along = { clauses: [], hint: keyOf(walk, walk.order) };
  if (sources.length === 0) return along;
  const ofWords = (source: Source) => walkOfWords(known, filter, walk, source);
  const [inOrder] = sources.flatMap((source) => ofWords(source) ?? []);
  if (inOrder !== undefined && sources.length === 1) return inOrder;
  const even = Math.ceil(Math.sqrt(wanted * (await entries.estimatedDocumentCount(readLimits))));
  const bound = Math.max(even, wanted);
  const found = await narrowest(entries, sources, bound);
  if (found === null || found.rows > bound) return inOrder ?? along;
  const clauses = found.words === undefined ? [] : [found.clause];
  return ofWords(found) ?? { clauses, hint: found.hint };
}

/** The plan's clauses and the query's own. */
export const planned = (plan: Plan | null, ...asked: readonly EntryFilter[]): EntryFilter =>
  allOf([...(plan?.clauses ?? []), ...asked]);

export const hintOf = (plan: Plan | null) =>
  plan?.hint ? { hint: Object.fromEntries(plan.hint) } : {};
