export * from './bookkeeping.js';
export * from './reader.js';
