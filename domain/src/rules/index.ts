export * from './business-name.js';
export * from './catalogue.js';
export * from './delivery.js';
export * from './limits.js';
export * from './money.js';
export * from './references.js';
export * from './search-words.js';
export * from './times.js';
