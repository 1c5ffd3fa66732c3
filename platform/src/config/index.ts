export * from './config.js';
export { isLocal } from './demo.js';
export type { Problem, Result, Variables } from './environment.js';
