export { createEmbeddedState, type EmbeddedStateOptions } from './embedded.js';
export type * from './port.js';
