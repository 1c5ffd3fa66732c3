import { type Document, eachDocument, type ReadModelName, type Stored } from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';

interface ReadModelDeps extends Pick<AppContext, 'readModels'> {
  readonly engines: Pick<AppContext['engines'], 'documents'>;
}

/**
 * Every document that a query finds in a collection of the live read model, in its order, fetched page by page.
 * @throws ReadModelMissing
 */
export async function* liveDocuments<D extends Document>(
  { engines, readModels }: ReadModelDeps,
  model: ReadModelName,
  collection: string,
  query: Parameters<typeof eachDocument>[2] = {},
): AsyncGenerator<Stored<D>, void> {
  const live = await readModels.liveCollection(model, collection);
  yield* eachDocument<D>(engines.documents, live, query);
}
