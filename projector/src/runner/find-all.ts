import { setImmediate as breathe } from 'node:timers/promises';
import type { Document, Documents, Filter, Page, Query, Scalar, Stored } from '@oja/platform';

const PAGE = 500;

/** Every document that a query finds, in its order, fetched page by page. */
export async function* eachDocument<D extends Document = Document>(
  documents: Documents,
  collection: string,
  query: Omit<Query, 'limit' | 'cursor'>,
): AsyncGenerator<Stored<D>, void> {
  let cursor: string | null = null;
  do {
    const page: Page<D> = await documents.find<D>(collection, {
      ...query,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.next;
    // An engine in this process answers at once: without a pause, many pages would block the event loop.
    if (cursor !== null) await breathe();
  } while (cursor !== null);
}

/** Every document whose indexed field has the value, or one of the values, sorted by id. */
export async function findAll<D extends Document = Document>(
  documents: Documents,
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
