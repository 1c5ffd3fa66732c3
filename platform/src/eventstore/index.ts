export { createEmbeddedEventStore, type EmbeddedEventStoreOptions } from './embedded/embedded.js';
export { InvalidEvent, StoreUnavailable } from './errors.js';
export { createEventStoreDb } from './eventstoredb/index.js';
export type { EventStoreDbOptions } from './eventstoredb/store.js';
export { NotJson } from './json.js';
export type * from './port.js';
export { isPosition, positionOf } from './position.js';
export { maxAppendBytes } from './validate.js';
