import type { Document, Documents, Scalar, Stored } from '@oja/platform';

const PAGE = 500;

/** Every document whose indexed field has the value, by id, page after page. */
export async function findAll<D extends Document = Document>(
  documents: Documents,
  collection: string,
  where: { readonly field: string; readonly value: Scalar },
): Promise<readonly Stored<D>[]> {
  const items: Stored<D>[] = [];
  let cursor: string | null = null;
  do {
    const page: { readonly items: readonly Stored<D>[]; readonly next: string | null } =
      await documents.find<D>(collection, {
        filter: [{ field: where.field, op: 'eq', value: where.value }],
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
      });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}
