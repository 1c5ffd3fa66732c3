import { join } from 'node:path';
import type { Clock } from './clock.js';
import type { Config } from './config/config.js';
import { files } from './data-dir/open.js';
import { createEmbeddedDocuments } from './documents/embedded.js';
import type { Documents } from './documents/port.js';
import { createEmbeddedEventStore } from './eventstore/embedded/embedded.js';
import type { EventStore } from './eventstore/port.js';
import { createImages, type Images } from './images.js';
import { createEmbeddedJobs } from './jobs/embedded.js';
import type { Job, Jobs } from './jobs/port.js';
import { createEmbeddedKeys } from './keys/embedded.js';
import type { Keys } from './keys/port.js';
import { createLazy } from './lazy.js';
import type { Logger } from './logging/port.js';
import { createMail, type Mail } from './mail.js';
import { createKeyWatch } from './payments/failures.js';
import { createPaystack } from './payments/paystack/client.js';
import type { Payments } from './payments/port.js';
import { createEmbeddedState } from './state/embedded.js';
import type { State } from './state/port.js';
import { isTraced, tracedEngines } from './tracing/index.js';

/** Opens an engine whose client is loaded only then: a market without that server starts sooner. */
const lazyFactory =
  <O, T>(load: () => Promise<(options: O) => Promise<T>>) =>
  async (options: O): Promise<T> =>
    (await load())(options);

export const createEventStoreDb = lazyFactory(
  async () => (await import('./eventstore/eventstoredb/store.js')).openEventStoreDb,
);
export const createMongoDocuments = lazyFactory(
  async () => (await import('./documents/mongo/engine.js')).openMongoDocuments,
);
export const createMongoState = lazyFactory(
  async () => (await import('./state/mongo/engine.js')).openMongoState,
);
export const createMongoKeys = lazyFactory(
  async () => (await import('./keys/mongo/engine.js')).openMongoKeys,
);
export const createRedisJobs = lazyFactory(
  async () => (await import('./jobs/redis/engine.js')).openRedisJobs,
);

/** The embedded database files whose content exists nowhere else and cannot be rebuilt. */
export const persistentFiles = ({ eventStoreUrl, mongodbUrl }: Config): readonly string[] => [
  ...(eventStoreUrl === null ? [files.log] : []),
  ...(mongodbUrl === null ? [files.state, files.keys] : []),
];

export interface Engines {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly state: State;
  readonly jobs: Jobs;
  readonly keys: Keys;
  readonly payments: Payments;
  readonly images: Images;
  readonly mail: Mail;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The origin of the built-in payment sandbox, which is the command-service itself. */
  readonly sandboxOrigin: string;
  /** Called with the collection, once for each embedded document that is gone although its row still exists. */
  readonly onMissing?: (collection: string) => void;
  /** How long to wait for the log's server when it is opened, in milliseconds. For a person who is waiting. */
  readonly logTimeoutMs?: number;
  /**
   * For commands that only inspect a market. The log is opened at its first use (and again after each
   * failure), and the other engines are opened without waiting for it. From the first failure on, calls
   * are retried for this many milliseconds; each answer may take half of that.
   */
  readonly lazyLogTimeoutMs?: number;
  /**
   * For commands, which add no jobs, and of which few ask about one. Redis is connected to at its first use (and again
   * after each failure), and is waited for this many milliseconds: a market without Redis only works later.
   */
  readonly lazyJobsTimeoutMs?: number;
  /** How long to wait for MongoDB, in milliseconds. For a person who is waiting: it is shorter than an election. */
  readonly mongoTimeoutMs?: number;
  /**
   * For reading servers that a market may not have been opened on yet: nothing is made on them that is missing, and a
   * log without an id has the id ''. Files are made as always.
   */
  readonly createsNothing?: boolean;
}

/** The part of the options that all of MongoDB's engines have. */
const mongoOptions = ({
  mongoTimeoutMs: timeoutMs,
  createsNothing = false,
}: Pick<EngineOptions, 'mongoTimeoutMs' | 'createsNothing'>) => ({
  createsNothing,
  ...(timeoutMs !== undefined && { timeoutMs }),
});

/** A log that is opened at its first use, so that callers that never use it do not wait for it. */
function lazyEventStore(open: () => Promise<EventStore>): EventStore {
  const { get: log, made } = createLazy(open);
  async function* from<T>(read: (store: EventStore) => AsyncIterable<T>): AsyncGenerator<T> {
    yield* read(await log());
  }
  return {
    logId: async () => (await log()).logId(),
    append: async (...args) => (await log()).append(...args),
    readStream: (...args) => from((store) => store.readStream(...args)),
    readAll: (...args) => from((store) => store.readAll(...args)),
    readLast: async (limit) => (await log()).readLast(limit),
    head: async () => (await log()).head(),
    subscribe: (...args) => from((store) => store.subscribe(...args)),
    close: async () => (await made())?.close(),
  };
}

/** Queues that are connected to at their first use. No worker can be started on them: it must wait for Redis. */
function lazyJobs(open: () => Promise<Jobs>): Jobs {
  const { get: jobs, made } = createLazy(open);
  return {
    add: async (...args) => (await jobs()).add(...args),
    work() {
      throw new Error('queues that are opened when asked start no workers');
    },
    counts: async (queue) => (await jobs()).counts(queue),
    find: async (queue, id) => (await jobs()).find(queue, id),
    close: async () => (await made())?.close(),
  };
}

async function openEventStore(config: Config, options: EngineOptions): Promise<EventStore> {
  const { eventStoreUrl: url, dataDir } = config;
  const {
    logger,
    logTimeoutMs: opening,
    lazyLogTimeoutMs: timeoutMs,
    createsNothing = false,
  } = options;
  if (url === null) return createEmbeddedEventStore({ file: join(dataDir, files.log) });
  const open = () =>
    createEventStoreDb({
      url,
      createsNothing,
      onTrouble: (what) =>
        logger.warn({ trouble: what }, 'EventStoreDB does not answer as it should'),
      ...(opening !== undefined && { times: { opening } }),
      ...(timeoutMs !== undefined && {
        times: { opening: timeoutMs, retryMs: timeoutMs, answer: timeoutMs / 2 },
      }),
    });
  return timeoutMs === undefined ? open() : lazyEventStore(open);
}

const openDocuments = (
  { mongodbUrl: url, dataDir }: Config,
  options: EngineOptions,
): Promise<Documents> =>
  url === null
    ? createEmbeddedDocuments({
        file: join(dataDir, files.documents),
        onMissing: options.onMissing ?? (() => {}),
      })
    : createMongoDocuments({ url, ...mongoOptions(options) });

/** State alone, to read what it belongs to before any other engine is opened. */
export const openState = (
  { mongodbUrl: url, dataDir }: Pick<Config, 'mongodbUrl' | 'dataDir'>,
  options: Pick<EngineOptions, 'mongoTimeoutMs' | 'createsNothing'>,
): Promise<State> =>
  url === null
    ? createEmbeddedState({ file: join(dataDir, files.state) })
    : createMongoState({ url, ...mongoOptions(options) });

function openKeys(
  { mongodbUrl: url, dataDir, ...config }: Config,
  options: EngineOptions,
): Promise<Keys> {
  const wrapped = { masterKey: config.keysMasterKey, fallback: config.keysMasterKeyFallback };
  return url === null
    ? createEmbeddedKeys({ file: join(dataDir, files.keys), ...wrapped })
    : createMongoKeys({ url, ...wrapped, ...mongoOptions(options) });
}

async function openJobs({ redisUrl, dataDir }: Config, options: EngineOptions): Promise<Jobs> {
  const { clock, logger, lazyJobsTimeoutMs: timeoutMs } = options;
  const onError = (error: unknown, job: Job | null) =>
    job
      ? logger.warn({ err: error, job: job.id }, 'a job has failed')
      : logger.warn({ err: error }, 'the job queues do not answer');
  if (redisUrl === null)
    return createEmbeddedJobs({ file: join(dataDir, files.jobs), clock, onError });
  if (timeoutMs === undefined) return createRedisJobs({ url: redisUrl, onError });
  return lazyJobs(() => createRedisJobs({ url: redisUrl, onError, openMs: timeoutMs }));
}

/** The log and the queues alone, to read a market whose other engines do not answer. */
export async function openLogAndQueues(
  config: Config,
  options: EngineOptions,
): Promise<Pick<Engines, 'eventStore' | 'jobs' | 'close'>> {
  const opening = [openEventStore(config, options), openJobs(config, options)] as const;
  const [eventStore, jobs] = await Promise.all(opening).catch(async (error: unknown) => {
    await closeOpened(opening);
    throw error;
  });
  return {
    eventStore,
    jobs,
    close: async () => {
      await jobs.close();
      await eventStore.close();
    },
  };
}

/** The sender of all letters: support, or an address of the market's domain whose replies nobody reads. */
const mailSender = ({ support, publicUrl }: Config): string =>
  support.email || `no-reply@${new URL(publicUrl).hostname}`;

/** Closes the engines that did open, after another one failed. */
async function closeOpened(opening: readonly Promise<{ close(): Promise<void> }>[]): Promise<void> {
  for (const opened of await Promise.allSettled(opening))
    if (opened.status === 'fulfilled') await opened.value.close();
}

/**
 * Opens every port with the engine that the configuration names.
 * @throws StoreUnavailable or WrongMasterKey when an engine cannot be used; all engines are closed then.
 */
export async function openEngines(config: Config, options: EngineOptions): Promise<Engines> {
  const { clock, sandboxOrigin } = options;
  const opening = [
    openEventStore(config, options),
    openDocuments(config, options),
    openState(config, options),
    openJobs(config, options),
    openKeys(config, options),
  ] as const;
  const [eventStore, documents, state, jobs, keys] = await Promise.all(opening).catch(
    async (error: unknown) => {
      await closeOpened(opening);
      throw error;
    },
  );
  const mail = createMail({
    smtpUrl: config.smtpUrl,
    folder: join(config.dataDir, files.mail),
    clock,
    from: mailSender(config),
  });
  const { paystack, cloudinary, publicUrl } = config;
  const opened: Engines = {
    eventStore,
    documents,
    state,
    jobs,
    keys,
    mail,
    payments: createPaystack({
      url: paystack.url ?? `${sandboxOrigin}/sandbox`,
      secret: paystack.secret,
      keyAnswered: createKeyWatch({ state, clock, logger: options.logger }),
    }),
    images: createImages({
      publicUrl,
      ...(cloudinary && {
        cloudinary: { uploadUrl: cloudinary.url, uploadPreset: cloudinary.preset },
      }),
    }),
    close: async () => {
      // Jobs first: running handlers still need the other engines.
      await jobs.close();
      await Promise.all([mail.close(), documents.close(), state.close(), keys.close()]);
      await eventStore.close();
    },
  };
  return isTraced() ? tracedEngines(opened) : opened;
}
