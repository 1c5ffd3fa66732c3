export * from './config.js';
export { isLocal } from './demo.js';
export { type Problem, type Result, type Variables, variableNames } from './environment.js';
