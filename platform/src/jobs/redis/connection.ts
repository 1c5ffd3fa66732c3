import { Redis, type RedisOptions } from 'ioredis';
import { backOff, withTimeLimit } from '../../clock.js';
import { StoreUnavailable } from '../../eventstore/port.js';
import { messageOf } from '../../message-of.js';

/** The prefix of all our keys, in a Redis that others may use as well. */
export const defaultPrefix = 'oja';

/** BullMQ wants a name for each kind of job, and refuses ids that are whole numbers. */
export const jobName = 'job';
const idPrefix = `${jobName}-`;

/** The id under which BullMQ stores a job. */
export const storedId = (id: string): string => `${idPrefix}${id}`;

/** The reverse of `storedId`. */
export const portId = (stored: string): string => stored.slice(idPrefix.length);

/** How long Redis may take to answer a command, in milliseconds. */
const answerMs = 10_000;
/** The longest pause between two connection attempts, in milliseconds. */
const longestPauseMs = 1_000;

/** How long to wait for the answer to QUIT, in milliseconds. */
const quitTimeoutMs = 1_000;

/** Milliseconds before the next connection attempt. */
export const pauseBefore = (tries: number): number => backOff(tries, 100, longestPauseMs);

/** Whether a server refuses to write because it has become a replica; scripts repeat it within their own message. */
const isReplicaError = ({ message }: Error): boolean => message.includes('READONLY');

const commonOptions: RedisOptions = {
  connectTimeout: 5_000,
  retryStrategy: pauseBefore,
  // After a fail-over the address leads to the new primary, but a demoted one keeps the connections that it has.
  reconnectOnError: isReplicaError,
};

/** For adding jobs: fail at once when Redis is away; nothing queues in this process's memory. */
export const producerOptions: RedisOptions = {
  ...commonOptions,
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: answerMs,
};

/** For workers: wait for Redis, however long it is away, from the first connection on. */
export const workerOptions: RedisOptions = { ...commonOptions, maxRetriesPerRequest: null };

/** Opens a connection with an error listener; without one, Node would end the process. */
export function connection(
  url: string,
  options: RedisOptions,
  onError: (error: unknown) => void,
): Redis {
  const redis = new Redis(url, options);
  redis.on('error', onError);
  return redis;
}

/** What Redis refuses of an address, by how its answer begins; the same address is refused for ever. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^(NOAUTH|WRONGPASS|NOPERM)\b/, 'the name or the password'],
  // ioredis would go on in database 0, which may be another market's.
  [/^ERR (DB index|invalid DB|value is not an integer)/, 'the database'],
];

/**
 * Connects and waits until Redis is ready, for at most `timeoutMs` milliseconds.
 * @throws StoreUnavailable when it is not ready in time, or refuses the address; the connection is closed then.
 */
export async function whenReady(redis: Redis, timeoutMs: number): Promise<void> {
  let last: unknown = new Error('no answer');
  let refused: string | undefined;
  let end = (_isReady: boolean) => {};
  const heard = (error: unknown) => {
    last = error;
    refused ??= refusals.find(([form]) => form.test(messageOf(error)))?.[1];
    if (refused !== undefined) end(false);
  };
  redis.on('error', heard);
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => end(false), timeoutMs);
    end = (isReady) => {
      clearTimeout(timer);
      resolve(isReady);
    };
    redis.once('ready', () => end(true));
    // ioredis retries after a failed first attempt; `heard` records those errors too.
    redis.connect().catch(heard);
  });
  redis.off('error', heard);
  if (isReady && refused === undefined) return;
  redis.disconnect();
  const { host, port } = redis.options;
  const what = refused === undefined ? 'cannot be used' : `refuses ${refused} in REDIS_URL`;
  const why = `Redis at ${host}:${port} ${what}: ${messageOf(last)}`;
  throw new StoreUnavailable('Redis', why, refused !== undefined);
}

/** Sends QUIT if the connection is up, then disconnects. */
export async function disconnect(redis: Redis): Promise<void> {
  if (redis.status === 'ready')
    await withTimeLimit(
      quitTimeoutMs,
      redis.quit().catch(() => undefined),
      undefined,
    );
  redis.disconnect();
}
