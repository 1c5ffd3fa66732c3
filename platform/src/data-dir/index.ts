export { isLocked, writeOnce } from './lock.js';
export * from './open.js';
