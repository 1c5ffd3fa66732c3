import { createEmbeddedEventStore } from '@oja/platform';

/** Opens the log that a test is about, in a process of its own. */
export function openEventStore(address) {
  const { embedded } = JSON.parse(address);
  return createEmbeddedEventStore(embedded);
}
