export * from './bookkeeping.js';
export * from './names.js';
export * from './reader.js';
