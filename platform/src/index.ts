export * from './clock.js';
export {
  type CommandContext,
  type CommandHandler,
  type CommandHandlerOptions,
  type CommandResult,
  createCommandHandler,
} from './commands/command-handler.js';
export {
  createStreamReader,
  type DomainEvent,
  emptyStream,
  eventsOf,
  type Loaded,
  parseEvent,
  streamOf,
  UnreadableEvent,
  type Written,
} from './commands/stream.js';
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
export {
  holderOf,
  isLocked,
  LOCK_WAIT_MS,
  lockFile,
  makeFolder,
  probeLock,
  replaceFile,
  writeOnce,
} from './data-dir/lock.js';
export * from './data-dir/open.js';
export { createEmbeddedDocuments, type EmbeddedDocumentsOptions } from './documents/embedded.js';
export * from './documents/port.js';
export { canonicalJson } from './documents/scalars.js';
export {
  createEventStoreDb,
  createMongoDocuments,
  createMongoKeys,
  createMongoState,
  createRedisJobs,
  type EngineOptions,
  type Engines,
  openEngines,
  openLogAndQueues,
  openState,
  persistentFiles,
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
export * from './images.js';
export {
  createEmbeddedJobs,
  type EmbeddedJobsOptions,
} from './jobs/embedded.js';
export type * from './jobs/port.js';
export {
  InvalidJob,
  withCurrentCorrelation,
  withEventCorrelation,
  withJobCorrelation,
} from './jobs/port.js';
export type { RedisJobsOptions } from './jobs/redis/engine.js';
export type { WakeableJobs } from './jobs/worker.js';
export {
  createEmbeddedKeys,
  destroyedIn,
  type EmbeddedKeysOptions,
  opensKeys,
} from './keys/embedded.js';
export * from './keys/port.js';
export {
  createSealer,
  isSameSecret,
  open as openSealed,
  type SealedPlace,
  type SealedValue,
  type Sealer,
  seal,
  type ToOpen,
} from './keys/sealing.js';
export { isProbeOf, probeOf } from './keys/wrapping.js';
export * from './lazy.js';
export * from './logging/correlation.js';
export { createLateLogger } from './logging/late-logger.js';
export { createLogger } from './logging/logger.js';
export {
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
  type OpenLogger,
} from './logging/port.js';
export { redact, redactText } from './logging/redaction.js';
export * from './logging/security.js';
export {
  createMail,
  LETTER_SENT_WITHIN_MS,
  type Letter,
  LetterPutOff,
  LetterRefused,
  type Mail,
  type MailOptions,
} from './mail.js';
export type { Access, Notifier } from './memory/access.js';
export {
  createMemoryDocuments,
  createMemoryDocumentsData,
  type MemoryDocumentsData,
} from './memory/documents.js';
export { createMemoryEventStore, createMemoryLog, type MemoryLog } from './memory/eventstore.js';
export {
  createMemoryJobs,
  createMemoryJobsData,
  type MemoryJobsData,
  type MemoryJobsOptions,
} from './memory/jobs.js';
export { createMemoryKeys, createMemoryKeysData, type MemoryKeysData } from './memory/keys.js';
export { createMemoryState, createMemoryStateData, type MemoryStateData } from './memory/state.js';
export { messageOf } from './message-of.js';
export * from './metrics.js';
export type { ConnectMongo, MongoConnection, MongoOptions } from './mongo/connection.js';
export * from './paging.js';
export * from './parse-json.js';
export * from './partition-point.js';
export { keyRefusal, loggedFailure } from './payments/failures.js';
export type { PaystackOptions } from './payments/paystack/client.js';
export { createPaystack, type ProviderRequest } from './payments/paystack/client.js';
export { type PaymentNotice, readWebhook, signWebhook } from './payments/paystack/webhook.js';
export type * from './payments/port.js';
export * from './readmodels/projection-state.js';
export * from './readmodels/reader.js';
export * from './sessions/access-tokens.js';
export * from './sessions/attempts.js';
export * from './sessions/families.js';
export * from './sqlite/index.js';
export { createEmbeddedState, type EmbeddedStateOptions } from './state/embedded.js';
export { createLease, type LeaseResult, withLease } from './state/lease.js';
export type * from './state/port.js';
export * from './tracing/index.js';
