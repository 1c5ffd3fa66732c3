import type { Collection } from 'mongodb';
import { patiently } from '../../mongo/connection.js';
import type { Filter } from '../port.js';
import type { Shape, SqlIndex } from '../shape.js';
import { servedBy } from '../sources.js';
import { wordsIn } from '../words.js';
import { keyInOrder, keyOf, ownOrder } from './collections.js';
import type { Entry, Known } from './entry.js';
import { allOf, type EntryFilter, filterOf, wordsAt } from './queries.js';

/**
 * The server tries several plans for a query it has not seen lately, remembers one, and takes it for others that ask
 * for more. So the plan is chosen here, by how many entries can match, and named.
 */

/** So many entries are read, tested and sorted in a few milliseconds, whatever else is asked of them. */
const few = 1_000;

type Key = ReadonlyMap<string, 1 | -1>;

/** What a filter asks for in other words, of which only an index can be asked, and the index to go by. */
export interface Plan {
  readonly clauses: readonly EntryFilter[];
  /** Null: the server chooses. */
  readonly hint: Key | null;
}

/** A range of an index, in which all lies that can match. */
interface Source {
  readonly clause: EntryFilter;
  /** The same, to be counted by the index alone. */
  readonly counted: EntryFilter;
  readonly hint: Key;
  /** Of words: their field, and how many there are. */
  readonly words?: { readonly field: string; readonly count: number };
}

/** The server merges so many walks, one for each word, into one order. */
const mostWalks = 100;

interface Counted extends Source {
  readonly rows: number;
}

/** Whole words of which an entry must have one. Null stands for entries of an earlier release, which have no words. */
function wordSources({ vocabulary, hasWords }: Known, filter: Filter): readonly Source[] {
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

/** Ranges that ask for something which the walk's own range does not. */
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

/** The one with the fewest entries, as far as they are worth counting. */
async function narrowest(
  entries: Collection<Entry>,
  sources: readonly Source[],
  bound: number,
): Promise<Counted | null> {
  const limit = bound + 1;
  const counted = await Promise.all(
    sources.map(async (source): Promise<Counted> => {
      const options = { limit, hint: Object.fromEntries(source.hint), ...patiently };
      return { ...source, rows: await entries.countDocuments(source.counted, options) };
    }),
  );
  return counted.sort((one, other) => one.rows - other.rows)[0] ?? null;
}

/**
 * For what is counted or read whole: by the piece of a word that is in the fewest entries. An index of lists cannot be
 * asked for two of their values at once.
 */
export async function narrowingOf(
  entries: Collection<Entry>,
  known: Known,
  filter: Filter,
): Promise<Plan | null> {
  const found = await narrowest(entries, wordSources(known, filter), few);
  if (found === null) return null;
  return { clauses: [found.clause], hint: found.rows > few ? null : found.hint };
}

/**
 * The walks along the entries that have one of the words, each in the order of the texts themselves. Null: nothing is
 * looked for in these texts, or there are too many words.
 */
function walksOfWords(
  { shape }: Known,
  filter: Filter,
  { by, order }: SqlIndex,
  source: Source,
): Plan | null {
  const [field] = by;
  if (source.words === undefined || source.words.field !== field) return null;
  const index = ownOrder(shape, field);
  if (index === null || by.length > 1 || source.words.count > mostWalks) return null;
  const isEqual = (one: string) => filter.some(({ op, field: of }) => op === 'eq' && of === one);
  if (!index.fields.every(isEqual)) return null;
  return { clauses: [source.clause], hint: keyInOrder(index, field, order) };
}

/**
 * For a page: what lies in a narrow range, sorted afterwards, or a walk along the index that has the order, each entry
 * tested. Of n entries h match; a walk to `wanted` of them tests wanted × n / h, a source reads its h: that is the
 * cheaper way up to h = √(wanted × n).
 */
export async function pagePlan(
  entries: Collection<Entry>,
  known: Known,
  filter: Filter,
  walk: SqlIndex,
  wanted: number,
): Promise<Plan> {
  const sources = [...wordSources(known, filter), ...rangeSources(known.shape, filter, walk)];
  const along = { clauses: [], hint: keyOf(walk, walk.order) };
  if (sources.length === 0) return along;
  const [inOrder] = sources.flatMap((source) => walksOfWords(known, filter, walk, source) ?? []);
  if (inOrder !== undefined && sources.length === 1) return inOrder;
  const even = Math.ceil(Math.sqrt(wanted * (await entries.estimatedDocumentCount(patiently))));
  const bound = Math.max(even, wanted);
  const found = await narrowest(entries, sources, bound);
  if (found === null || found.rows > bound) return inOrder ?? along;
  return { clauses: found.words === undefined ? [] : [found.clause], hint: found.hint };
}

/** The conditions of a plan and what was asked. */
export const planned = (plan: Plan | null, ...asked: readonly EntryFilter[]): EntryFilter =>
  allOf([...(plan?.clauses ?? []), ...asked]);

export const hintOf = (plan: Plan | null) =>
  plan?.hint ? { hint: Object.fromEntries(plan.hint) } : {};
