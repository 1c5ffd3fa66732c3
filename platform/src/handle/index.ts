export {
  type CommandContext,
  createHandle,
  type Handle,
  type Handled,
  type HandleOptions,
} from './handle.js';
export {
  createStreamReader,
  type DomainEvent,
  eventsOf,
  type Loaded,
  nothingRead,
  streamOf,
  type Written,
} from './stream.js';
