import type { Documents } from '../port.js';
import type { MongoDocumentsOptions } from './engine.js';

export type { MongoDocumentsOptions } from './engine.js';

/**
 * Opens the documents in a MongoDB replica set. The driver is loaded only here, so that a market without
 * MongoDB starts sooner.
 *
 * @throws StoreUnavailable when no server answers, or it is not in a replica set.
 */
export async function createMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const { openMongoDocuments } = await import('./engine.js');
  return openMongoDocuments(options);
}
