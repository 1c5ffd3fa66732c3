export * from './access.js';
export * from './call.js';
export * from './openapi.js';
export * from './route-table.js';
