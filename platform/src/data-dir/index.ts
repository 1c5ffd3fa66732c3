export { isLocked, makeFolder, takeLock, writeOnce } from './lock.js';
export * from './open.js';
