export * from './open.js';
export { writeOnce } from './write-once.js';
