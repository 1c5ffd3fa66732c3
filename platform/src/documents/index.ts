export { createEmbeddedDocuments, type EmbeddedDocumentsOptions } from './embedded.js';
export { createMongoDocuments, type MongoDocumentsOptions } from './mongo/index.js';
export * from './port.js';
export { canonicalJson } from './scalars.js';
