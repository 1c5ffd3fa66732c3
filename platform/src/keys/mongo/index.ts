import type { Keys } from '../port.js';
import type { MongoKeysOptions } from './engine.js';

export type { MongoKeysOptions } from './engine.js';

/**
 * Keys in their own database in a MongoDB replica set. A destroyed key is gone from the database at once.
 * Its old bytes, wrapped under the master key, stay in the members' oplog and journal until these wrap
 * around, and in their backups. The driver is loaded only here: a market without MongoDB starts sooner.
 * @throws StoreUnavailable when no server answers, or it is not a replica set; WrongMasterKey; RangeError
 * for a master key that is not 32 bytes.
 */
export async function createMongoKeys(options: MongoKeysOptions): Promise<Keys> {
  const { openMongoKeys } = await import('./engine.js');
  return openMongoKeys(options);
}
