import type { EventStore } from '../port.js';
import type { EventStoreDbOptions } from './store.js';

/**
 * The log in EventStoreDB. Its client is loaded only where it is used: it takes a while.
 *
 * @throws StoreUnavailable when the server does not answer in the time it has for that.
 */
export async function createEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { openEventStoreDb } = await import('./store.js');
  return openEventStoreDb(options);
}
