export { createEmbeddedState, type EmbeddedStateOptions } from './embedded.js';
export { createMongoState, type MongoStateOptions } from './mongo/index.js';
export type * from './port.js';
