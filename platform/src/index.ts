export * from './clock.js';
export * from './concurrency-limiter.js';
export {
  type AddressSet,
  addressBlock,
  addressSet,
  isLocal,
  isPrivate,
  unmapped,
} from './config/addresses.js';
export * from './config/config.js';
export { type Problem, type Result, type Variables, variableNames } from './config/environment.js';
export { beginRotation, endRotation, SECRETS_FILE } from './config/secrets.js';
export { isLocked, LOOK_MS, lockFile, makeFolder, PROBE_MS, writeOnce } from './data-dir/lock.js';
export * from './data-dir/open.js';
export { createEmbeddedDocuments, type EmbeddedDocumentsOptions } from './documents/embedded.js';
export * from './documents/port.js';
export { canonicalJson } from './documents/scalars.js';
export * from './each.js';
export {
  createEventStoreDb,
  createMongoDocuments,
  createMongoKeys,
  createMongoState,
  createRedisJobs,
  type EngineOptions,
  type Engines,
  lastingFiles,
  openEngines,
  openLogAndQueues,
  openState,
} from './engines.js';
export {
  createEmbeddedEventStore,
  type EmbeddedEventStoreOptions,
} from './eventstore/embedded/embedded.js';
export type { EventStoreDbOptions } from './eventstore/eventstoredb/store.js';
export type * from './eventstore/port.js';
export {
  InvalidEvent,
  isPosition,
  maxAppendBytes,
  NoRoom,
  NotJson,
  positionOf,
  StoreUnavailable,
} from './eventstore/port.js';
export * from './handle/index.js';
export * from './images.js';
export {
  createEmbeddedJobs,
  type EmbeddedJobs,
  type EmbeddedJobsOptions,
} from './jobs/embedded.js';
export type * from './jobs/port.js';
export {
  InvalidJob,
  underItsCorrelation,
  withCurrentCorrelation,
  withEventCorrelation,
} from './jobs/port.js';
export type { RedisJobsOptions } from './jobs/redis/engine.js';
export * from './keys/index.js';
export * from './logging/index.js';
export {
  createMail,
  type Letter,
  LetterPutOff,
  LetterRefused,
  type Mail,
  type MailOptions,
} from './mail.js';
export * from './memory/index.js';
export * from './metrics.js';
export type { ConnectMongo, MongoConnection, MongoOptions } from './mongo/connection.js';
export { keyRefusal, loggedFailure } from './payments/failures.js';
export type { PaystackOptions } from './payments/paystack/client.js';
export { createPaystack, type ProviderRequest } from './payments/paystack/client.js';
export { type PaymentNotice, readWebhook, signWebhook } from './payments/paystack/webhook.js';
export type * from './payments/port.js';
export * from './readmodels/bookkeeping.js';
export * from './readmodels/reader.js';
export * from './sessions/access-tokens.js';
export * from './sessions/attempts.js';
export * from './sessions/families.js';
export * from './sqlite/index.js';
export { createEmbeddedState, type EmbeddedStateOptions } from './state/embedded.js';
export { createLease, type Leased, withLease } from './state/lease.js';
export type * from './state/port.js';
export * from './tracing/index.js';
