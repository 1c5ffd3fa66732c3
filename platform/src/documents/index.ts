export { canonicalJson } from './canonical.js';
export { createEmbeddedDocuments, type EmbeddedDocumentsOptions } from './embedded.js';
export { InvalidCursor, InvalidDocument, UnknownCollection, UnservedQuery } from './errors.js';
export { createMongoDocuments, type MongoDocumentsOptions } from './mongo/index.js';
export type * from './port.js';
