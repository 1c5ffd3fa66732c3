export { createEmbeddedEventStore, type EmbeddedEventStoreOptions } from './embedded/embedded.js';
export { InvalidEvent, StoreUnavailable } from './errors.js';
export { jsonText, NotJson } from './json.js';
export type * from './port.js';
export { isPosition, numberOf, positionOf } from './position.js';
export { checkedAppend, maxAppendBytes, type SerializedEvent } from './validate.js';
