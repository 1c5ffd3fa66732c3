import { yieldToEventLoop } from './clock.js';
import type { Document, Documents, Filter, Query, Scalar, Stored } from './documents/port.js';
import type { JsonObject } from './eventstore/port.js';
import type { State, StateEntry } from './state/port.js';

/** Items read at a time unless the caller asks for another number: it limits memory, and how long one read takes. */
const PAGE = 500;

/** Pages until one names no place for the next to begin at. */
async function* readPages<T>(
  read: (from: string | null) => Promise<{ items: readonly T[]; next: string | null }>,
): AsyncGenerator<readonly T[], void> {
  let from: string | null = null;
  do {
    const { items, next }: { items: readonly T[]; next: string | null } = await read(from);
    if (items.length > 0) yield items;
    from = next;
    // An engine in this process answers at once.
    if (from !== null) await yieldToEventLoop();
  } while (from !== null);
}

/** Every document that a query finds, in its order, page by page. No page is empty. */
export const eachPage = <D extends Document = Document>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  { limit = PAGE, ...query }: Omit<Query, 'cursor'>,
): AsyncGenerator<readonly Stored<D>[], void> =>
  readPages((cursor) =>
    documents.find<D>(collection, { ...query, limit, ...(cursor !== null && { cursor }) }),
  );

/** Every document that a query finds, in its order, fetched page by page. */
export async function* eachDocument<D extends Document = Document>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  query: Omit<Query, 'limit' | 'cursor'>,
): AsyncGenerator<Stored<D>, void> {
  for await (const page of eachPage<D>(documents, collection, query)) yield* page;
}

/** Every document whose indexed field has the value, or one of the values, sorted by id. */
export async function documentsWith<D extends Document = Document>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  where: { readonly field: string } & (
    | { readonly value: Scalar }
    | { readonly values: readonly Scalar[] }
  ),
): Promise<readonly Stored<D>[]> {
  const items: Stored<D>[] = [];
  const { field } = where;
  const [only = null, ...others] = 'value' in where ? [where.value] : where.values;
  const filter: Filter =
    others.length === 0
      ? [{ field, op: 'eq', value: only }]
      : [{ field, op: 'in', values: [only, ...others] }];
  for await (const item of eachDocument<D>(documents, collection, { filter })) items.push(item);
  return items;
}

/**
 * Every entry whose key starts with the prefix, by key; `State.list` alone returns a limited number. Entries may be
 * deleted meanwhile. Pages are read as of the same `now` (epoch milliseconds).
 */
export async function* eachEntry<V extends JsonObject = JsonObject>(
  state: Pick<State, 'list'>,
  space: string,
  prefix: string,
  now: number,
): AsyncGenerator<StateEntry<V>, void> {
  const all = readPages(async (after) => {
    const options = { limit: PAGE, ...(after !== null && { after }) };
    const items = await state.list<V>(space, prefix, now, options);
    return { items, next: items.length < PAGE ? null : (items.at(-1)?.key ?? null) };
  });
  for await (const page of all) yield* page;
}
