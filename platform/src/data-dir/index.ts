export { isLocked } from './lock.js';
export * from './open.js';
export { announced, type Present } from './presence.js';
export { writeOnce } from './write-once.js';
