import {
  type Document,
  type Documents,
  eachDocument,
  type Filter,
  type Scalar,
  type Stored,
} from '@oja/platform';

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
