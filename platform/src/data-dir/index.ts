export { isLocked, takeLock, writeOnce } from './lock.js';
export * from './open.js';
