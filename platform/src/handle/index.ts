export type * from './aggregate.js';
export { eventsOf } from './append.js';
export {
  type CommandContext,
  createHandle,
  type Handle,
  type Handled,
  type HandleOptions,
} from './handle.js';
export { type Loaded, loadFrom, streamOf, type Written } from './stream.js';
