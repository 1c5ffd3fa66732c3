export { destroyedIn, opensKeys } from './destroyed.js';
export { createEmbeddedKeys, type EmbeddedKeysOptions } from './embedded.js';
export { KeyDestroyed, KeyDiffers, KeyLingers, WrongMasterKey } from './errors.js';
export { createMongoKeys, type MongoKeysOptions } from './mongo/index.js';
export * from './port.js';
export { createSealer, type SealedValue, type Sealer, type ToOpen } from './sealer.js';
export { open as openSealed, type SealedPlace, seal } from './sealing.js';
export { fitsMasterKey, probeOf } from './wrapping.js';
