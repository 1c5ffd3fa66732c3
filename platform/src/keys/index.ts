export {
  createEmbeddedKeys,
  destroyedIn,
  type EmbeddedKeysOptions,
  opensKeys,
} from './embedded.js';
export * from './port.js';
export {
  createSealer,
  isSameSecret,
  open as openSealed,
  type SealedPlace,
  type SealedValue,
  type Sealer,
  seal,
  type ToOpen,
} from './sealing.js';
export { isProbeOf, probeOf } from './wrapping.js';
