export * from './decider.js';
export * from './refusal.js';
export * from './rules/index.js';
export * from './sealed.js';
