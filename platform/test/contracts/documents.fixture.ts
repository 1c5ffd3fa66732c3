import type { CollectionSpec, Document, Documents, Operation, Page, Query } from '@oja/platform';
import type { Fixture } from './fixture.js';

export type MakeDocuments = () => Promise<Fixture<Documents>>;

/** A collection with every kind of index. */
export const goods: CollectionSpec = {
  name: 'goods_v1_g1',
  indexes: [
    { kind: 'equality', fields: ['kind'] },
    { kind: 'equality', fields: ['kind', 'place'] },
    { kind: 'equality', fields: ['open'] },
    { kind: 'sorted', fields: [], by: ['price'] },
    { kind: 'sorted', fields: ['kind'], by: ['price'], beside: ['note'] },
    { kind: 'sorted', fields: [], by: ['rank', 'price'], beside: ['name'] },
    { kind: 'sorted', fields: [], by: ['name'], order: 'asc', beside: ['price'] },
    { kind: 'multikey', field: 'tags' },
    { kind: 'words', field: 'name' },
    { kind: 'text', field: 'note' },
    { kind: 'counted', fields: ['kind', 'open', 'price'] },
    { kind: 'counted', fields: ['place', 'kind'] },
    { kind: 'counted', fields: ['name'] },
  ],
};

export const checkpoints: CollectionSpec = { name: 'checkpoints', indexes: [] };

export function put(id: string, document: Document, collection = goods.name): Operation {
  return { type: 'put', collection, id, document };
}

export function remove(id: string, collection = goods.name): Operation {
  return { type: 'delete', collection, id };
}

/** Puts documents with these names, with the ids `a`, `b`, … in this order. */
export function named(...names: readonly string[]): readonly Operation[] {
  return names.map((name, index) => put(String.fromCharCode(97 + index), { name }));
}

export async function idsFound(
  documents: Documents,
  ...query: Parameters<Documents['find']>
): Promise<readonly string[]> {
  return (await documents.find(...query)).items.map(({ id }) => id);
}

/** What a query finds, page by page. */
export async function idsOnPages(
  documents: Documents,
  collection: string,
  query: Query,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await documents.find(collection, {
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  return ids;
}
