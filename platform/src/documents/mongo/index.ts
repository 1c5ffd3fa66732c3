import type { Documents } from '../port.js';
import type { MongoDocumentsOptions } from './engine.js';

export type { MongoDocumentsOptions } from './engine.js';

/**
 * Documents in a MongoDB replica set. The driver is loaded only here: a market that needs none starts
 * sooner.
 *
 * @throws StoreUnavailable when no server answers, or it is no replica set.
 */
export async function createMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const { openMongoDocuments } = await import('./engine.js');
  return openMongoDocuments(options);
}
