import type { State } from '../port.js';
import type { MongoStateOptions } from './engine.js';

export type { MongoStateOptions } from './engine.js';

/**
 * State in its own database in a MongoDB replica set. The driver is loaded only here: a market without
 * MongoDB starts sooner.
 * @throws StoreUnavailable when no server answers, or it is not a replica set.
 */
export async function createMongoState(options: MongoStateOptions): Promise<State> {
  const { openMongoState } = await import('./engine.js');
  return openMongoState(options);
}
