import type { Collection } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import type { SortKey } from '../cursor.js';
import type { Filter } from '../port.js';
import { idsIn, type TableShape, type Walk } from '../shape.js';
import { servedBy } from '../sources.js';
import { wordsIn } from '../words.js';
import type { Entry, KnownCollection } from './entry.js';
import { keyInOrder, keyOf, wordIndexes } from './indexes.js';
import { idsInAll, keysOf, maxKeyReads, type PieceWords } from './keys.js';
import { allOf, type EntryFilter, filterOf, wordsPath } from './queries.js';

/**
 * The server tries several plans for a new kind of query, caches one, and reuses it for queries that match far
 * more. So the plan is chosen here, by how many entries can match, and passed as a hint.
 */

/** This many entries are read, tested and sorted in a few milliseconds, whatever the rest of the query. */
const fewRows = 1_000;

type Key = ReadonlyMap<string, 1 | -1>;

/** Extra clauses that follow from a filter and that an index can serve, and the index to use. */
export interface Plan {
  readonly clauses: readonly EntryFilter[];
  /** Null: the server chooses. */
  readonly hint: Key | null;
  /** The words that narrow it, when they are in many entries. */
  readonly words?: PieceWords;
  /** The plan for when fewer entries are found: some of those it names have changed meanwhile. */
  readonly fewerThan?: { readonly entries: number; readonly plan: Plan };
}

/** A range of an index that holds all entries that can match. */
interface Source {
  readonly clause: EntryFilter;
  /** The same, in a form that the index alone can count. */
  readonly counted: EntryFilter;
  readonly hint: Key;
  readonly words?: PieceWords;
}

/** A source, with how many entries it has. */
interface SizedSource extends Source {
  readonly rows: number;
}

/**
 * For each searched piece, the words of which an entry must have one; null matches entries of earlier releases. The
 * longest piece comes first: if nothing else tells them apart, it is most likely the rarest.
 */
function wordSources(
  { shape, vocabulary, hasWords }: KnownCollection,
  filter: Filter,
): readonly Source[] {
  if (!hasWords) return [];
  const sources = filter.flatMap((condition) => {
    if (condition.op !== 'words' || !shape.words.includes(condition.field)) return [];
    const path = wordsPath(condition.field);
    return [...new Set(condition.words.flatMap(wordsIn))].flatMap((piece): readonly Source[] => {
      const words = vocabulary.containing(condition.field, piece);
      if (words === null) return [];
      const clause = { [path]: { $in: [...words, null] } };
      const counted = { [path]: { $in: [...words] } };
      const of = { field: condition.field, piece, words };
      return [{ clause, counted, hint: new Map([[path, 1]]), words: of }];
    });
  });
  return sources.toSorted(
    (one, other) => (other.words?.piece.length ?? 0) - (one.words?.piece.length ?? 0),
  );
}

/** Ranges with a condition that the walk's own range lacks. */
function rangeSources(shape: TableShape, filter: Filter, walk: Walk): readonly Source[] {
  const walked = servedBy({ ...walk, by: [] }, filter);
  const byServed = new Map<string, Source>();
  for (const index of shape.sqlIndexes) {
    const served = servedBy(index, filter);
    const name = served.map((condition) => filter.indexOf(condition)).join();
    if (served.every((condition) => walked.includes(condition)) || byServed.has(name)) continue;
    const clause = filterOf(served);
    byServed.set(name, { clause, counted: clause, hint: keyOf(index) });
  }
  return [...byServed.values()];
}

/** The source with the fewest entries, counted up to `bound` + 1. */
async function narrowest(
  entries: Collection<Entry>,
  sources: readonly Source[],
  bound: number,
): Promise<SizedSource | null> {
  const limit = bound + 1;
  const counted = await Promise.all(
    sources.map(async (source): Promise<SizedSource> => {
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
  const found = await narrowest(entries, wordSources(known, filter), fewRows);
  if (found === null) return null;
  const clauses = [found.clause];
  if (found.rows <= fewRows) return { clauses, hint: found.hint };
  return { clauses, hint: null, ...(found.words && { words: found.words }) };
}

/**
 * The plan that walks along the entries with one of a source's words in the order of the page, one walk for each word.
 * Null: it is no source of words, no index has them in this order, or there are too many words.
 */
function walkOfWords(
  { shape, wordOrders }: KnownCollection,
  filter: Filter,
  { by, wanted, ids }: Walk,
  { words, clause }: Source,
): Plan | null {
  if (words === undefined || words.words.length > maxKeyReads) return null;
  const { field } = words;
  const isEqual = (one: string) => filter.some(({ op, field: of }) => op === 'eq' && of === one);
  const index = wordIndexes(shape, field, wordOrders).find(
    (one) => one.by.join() === by.join() && idsIn(one, wanted) === ids && one.fields.every(isEqual),
  );
  return index ? { clauses: [clause], hint: keyInOrder(index, field) } : null;
}

/** A page of a list: its filter, the index that has its order, how many entries are wanted, and after which place. */
export interface Listing {
  readonly filter: Filter;
  readonly walk: Walk;
  readonly wanted: number;
  readonly after: SortKey | null;
}

/**
 * The plan for a page: a narrow range, sorted afterwards, or a walk along the index that has the order, testing
 * each entry. If h of n entries match, a walk to `wanted` of them tests wanted × n / h; a source reads its h
 * entries. So the source is cheaper up to h = √(wanted × n). A walk along the entries of one word is never more
 * expensive than to read them all. Of several common words, in the order of their text, the keys are compared first.
 */
export async function pagePlan(
  entries: Collection<Entry>,
  known: KnownCollection,
  listing: Listing,
): Promise<Plan> {
  const { filter, walk, wanted } = listing;
  const ofWords = wordSources(known, filter);
  const sources = [...ofWords, ...rangeSources(known.shape, filter, walk)];
  const along = { clauses: [], hint: keyOf(walk) };
  if (sources.length === 0) return along;
  const walkOf = (source: Source) => walkOfWords(known, filter, walk, source);
  const [inOrder] = sources.flatMap((source) => walkOf(source) ?? []);
  if (inOrder !== undefined && sources.length === 1) return inOrder;
  const even = Math.ceil(Math.sqrt(wanted * (await entries.estimatedDocumentCount(readLimits))));
  const bound = Math.max(even, wanted);
  const found = await narrowest(entries, sources, bound);
  const isNarrow = found !== null && found.rows <= bound;
  const clauses = found?.words === undefined ? [] : [found.clause];
  const plan = isNarrow ? (walkOf(found) ?? { clauses, hint: found.hint }) : (inOrder ?? along);
  // Some dozens of entries are read as quickly as keys.
  const ids =
    isNarrow && (found.words === undefined || found.rows <= 4 * wanted)
      ? null
      : await idsByKeys(entries, known, listing, ofWords);
  if (ids === null) return plan;
  const fewerThan = { entries: ids.length, plan };
  return { clauses: [{ _id: { $in: ids } }], hint: new Map([['_id', 1]]), fewerThan };
}

/** Of more lists, each has most of the keys of another, and the texts tell anyway. */
const maxComparedLists = 2;

/**
 * The ids of a page in the order of a text, of entries with several words that many entries have. Null: it is another
 * page, or the index lacks a field.
 */
async function idsByKeys(
  entries: Collection<Entry>,
  known: KnownCollection,
  { filter, walk, wanted, after }: Listing,
  sources: readonly Source[],
): Promise<readonly string[] | null> {
  const [field = '', ...more] = walk.by;
  const pieces = sources.flatMap(({ words }) => (words?.field === field ? [words] : []));
  if (more.length > 0 || pieces.length < 2) return null;
  const lists = pieces
    .slice(0, maxComparedLists)
    .flatMap((piece) => keysOf(known, filter, piece, [], walk) ?? []);
  return lists.length === 0 ? null : idsInAll(entries, lists, { field, walk, wanted, after });
}

/** The plan's clauses and the query's own. */
export const planned = (plan: Plan | null, ...asked: readonly EntryFilter[]): EntryFilter =>
  allOf([...(plan?.clauses ?? []), ...asked]);

export const hintOf = (plan: Plan | null) =>
  plan?.hint ? { hint: Object.fromEntries(plan.hint) } : {};
