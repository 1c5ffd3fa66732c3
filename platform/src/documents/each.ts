import { nextTurn } from '../clock.js';
import type { Document, Documents, Page, Query, Stored } from './port.js';

/** Items on a page unless the caller asks for another number: it limits memory, and how long one read takes. */
const PAGE = 500;

/** Every document that a query finds, in its order, page by page. No page is empty. */
export async function* eachPage<D extends Document = Document>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  { limit = PAGE, ...query }: Omit<Query, 'cursor'>,
): AsyncGenerator<readonly Stored<D>[], void> {
  let cursor: string | null = null;
  do {
    const page: Page<D> = await documents.find<D>(collection, {
      ...query,
      limit,
      ...(cursor !== null && { cursor }),
    });
    if (page.items.length > 0) yield page.items;
    cursor = page.next;
    // An engine in this process answers at once.
    if (cursor !== null) await nextTurn();
  } while (cursor !== null);
}

/** Every document that a query finds, in its order, fetched page by page. */
export async function* eachDocument<D extends Document = Document>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  query: Omit<Query, 'limit' | 'cursor'>,
): AsyncGenerator<Stored<D>, void> {
  for await (const page of eachPage<D>(documents, collection, query)) yield* page;
}
