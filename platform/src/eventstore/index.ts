export { InvalidEvent, StoreUnavailable } from './errors.js';
export type * from './port.js';
