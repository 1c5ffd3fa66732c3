import type { Keys } from '../port.js';
import type { MongoKeysOptions } from './engine.js';

export type { MongoKeysOptions } from './engine.js';

/**
 * Keys in a database of their own in a MongoDB replica set. What is destroyed is gone from the database
 * at once; its old bytes, wrapped under the master key, stay in the oplog and the journal of the members
 * until those have gone round, and in backups of them. The driver is loaded only here: a market that
 * needs none starts sooner.
 *
 * @throws StoreUnavailable when no server answers, or it is no replica set; WrongMasterKey; RangeError
 *   for a master key that is not 32 bytes.
 */
export async function createMongoKeys(options: MongoKeysOptions): Promise<Keys> {
  const { openMongoKeys } = await import('./engine.js');
  return openMongoKeys(options);
}
