export type { Access, News } from './access.js';
export {
  createMemoryDocuments,
  createMemoryDocumentsData,
  type MemoryDocumentsData,
} from './documents.js';
export { createMemoryEventStore, createMemoryLog, type MemoryLog } from './eventstore.js';
export {
  createMemoryJobs,
  createMemoryJobsData,
  type MemoryJobs,
  type MemoryJobsData,
  type MemoryJobsOptions,
} from './jobs.js';
export { createMemoryKeys, createMemoryKeysData, type MemoryKeysData } from './keys.js';
export { createMemoryState, createMemoryStateData, type MemoryStateData } from './state.js';
