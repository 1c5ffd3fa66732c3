import { createEmbeddedEventStore, createEventStoreDb } from '@oja/platform';
import { ownLog } from './ownLog.mjs';

/** Opens the log under test in a child process. `address`: JSON from the test's fixture. */
export async function openEventStore(address) {
  const { embedded, server } = JSON.parse(address);
  if (embedded) return createEmbeddedEventStore(embedded);
  return ownLog(await createEventStoreDb({ url: server.url }), server);
}
