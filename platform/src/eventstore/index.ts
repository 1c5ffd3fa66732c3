export { createEmbeddedEventStore, type EmbeddedEventStoreOptions } from './embedded/embedded.js';
export { createEventStoreDb } from './eventstoredb/index.js';
export type { EventStoreDbOptions } from './eventstoredb/store.js';
export type * from './port.js';
export { InvalidEvent, isPosition, NoRoom, positionOf, StoreUnavailable } from './port.js';
export { maxAppendBytes, NotJson } from './validate.js';
