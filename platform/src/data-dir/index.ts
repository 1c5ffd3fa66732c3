export { isLocked } from './lock.js';
export * from './open.js';
export { writeOnce } from './write-once.js';
