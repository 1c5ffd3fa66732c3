export {
  type CommandContext,
  createHandle,
  type Handle,
  type Handled,
  type HandleOptions,
} from './handle.js';
export {
  type DomainEvent,
  eventsOf,
  type Loaded,
  nothingRead,
  streamOf,
  type Written,
} from './stream.js';
export { createStreamReader } from './stream-reader.js';
