import type { EventStore } from '../port.js';
import type { EventStoreDbOptions } from './store.js';

/**
 * The log in EventStoreDB. The client is imported only here, because loading it is slow.
 * @throws StoreUnavailable when the server does not answer in time (30 s by default).
 */
export async function createEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { openEventStoreDb } = await import('./store.js');
  return openEventStoreDb(options);
}
