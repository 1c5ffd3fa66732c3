export { createHandlers, type QueryCall, type QueryHandlers, type Tools } from './calls/index.js';
