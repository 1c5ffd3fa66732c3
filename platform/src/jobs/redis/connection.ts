import { Redis, type RedisOptions } from 'ioredis';
import { pause } from '../../clock.js';
import { StoreUnavailable } from '../../eventstore/port.js';

/** All keys of the market in a Redis that others may use as well begin with it. */
export const defaultPrefix = 'oja';

/** BullMQ has one name for every kind of job of a queue, and refuses ids that are whole numbers. */
export const jobName = 'job';
const idPrefix = `${jobName}-`;

/** A job's id as BullMQ takes it. */
export const storedId = (id: string): string => `${idPrefix}${id}`;

/** The way back. */
export const portId = (stored: string): string => stored.slice(idPrefix.length);

/** After this a silent Redis is one that did not answer, in milliseconds. */
const answerMs = 10_000;
/** The longest pause between two tries to connect, in milliseconds. */
const longestPauseMs = 1_000;

/** A goodbye that is not answered by then was not heard, in milliseconds. */
const goodbyeMs = 1_000;

/** Milliseconds before the next try to connect. */
export const pauseBefore = (tries: number): number =>
  Math.min(50 * 2 ** Math.min(tries, 10), longestPauseMs);

const common: RedisOptions = { connectTimeout: 5_000, retryStrategy: pauseBefore };

/** Whoever adds wants to know at once that Redis is away: nothing waits in this process's memory. */
export const producing: RedisOptions = {
  ...common,
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: answerMs,
};

/** Whoever works waits for Redis, however long it is away, from the very first connection on. */
export const working: RedisOptions = { ...common, maxRetriesPerRequest: null };

/** Every connection has somebody who hears its errors: without, Node ends the process. */
export function connection(
  url: string,
  options: RedisOptions,
  onError: (error: unknown) => void,
): Redis {
  const redis = new Redis(url, options);
  redis.on('error', onError);
  return redis;
}

/** @throws StoreUnavailable when Redis has not answered in time; the connection is closed then. */
export async function whenReady(redis: Redis, timeoutMs: number): Promise<void> {
  let last: unknown = new Error('no answer');
  const heard = (error: unknown) => {
    last = error;
  };
  redis.on('error', heard);
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve(true);
    });
    // A first try that fails is followed by others, whose errors are heard above.
    redis.connect().catch(heard);
  });
  redis.off('error', heard);
  if (isReady) return;
  redis.disconnect();
  const { host, port } = redis.options;
  const why = last instanceof Error ? last.message : String(last);
  throw new StoreUnavailable(`Redis at ${host}:${port} cannot be used: ${why}`, false);
}

/** Says goodbye where somebody hears it. */
export async function leave(redis: Redis): Promise<void> {
  const patience = new AbortController();
  if (redis.status === 'ready')
    await Promise.race([redis.quit().catch(() => undefined), pause(goodbyeMs, patience.signal)]);
  patience.abort();
  redis.disconnect();
}
