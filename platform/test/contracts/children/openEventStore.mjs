import { createEmbeddedEventStore, createEventStoreDb } from '@oja/platform';
import { ownLog } from './ownLog.mjs';

/** Opens the log that a test is about, in a process of its own. */
export async function openEventStore(address) {
  const { embedded, server } = JSON.parse(address);
  if (embedded) return createEmbeddedEventStore(embedded);
  return ownLog(await createEventStoreDb({ url: server.url }), server);
}
