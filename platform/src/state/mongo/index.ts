import type { State } from '../port.js';
import type { MongoStateOptions } from './engine.js';

export type { MongoStateOptions } from './engine.js';

/**
 * State in a database of its own in a MongoDB replica set. The driver is loaded only here: a market
 * that needs none starts sooner.
 *
 * @throws StoreUnavailable when no server answers, or it is no replica set.
 */
export async function createMongoState(options: MongoStateOptions): Promise<State> {
  const { openMongoState } = await import('./engine.js');
  return openMongoState(options);
}
