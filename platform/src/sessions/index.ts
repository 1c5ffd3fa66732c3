export * from './accessTokens.js';
export * from './attempts.js';
export * from './families.js';
