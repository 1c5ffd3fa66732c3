export * from './access-tokens.js';
export * from './attempts.js';
export * from './families.js';
