import { createEventStoreDb } from '@oja/platform';
import { afterAll } from 'vitest';
import { mongoDatabase } from '../../platform/test/contracts/mongo.fixture.js';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';

/** The distributed engines that can be reached from here. */
export interface Reached {
  /** Their names, with where they come from. */
  readonly names: readonly string[];
  /** The environment variables that make a service use them. */
  readonly env: Readonly<Record<string, string>>;
  /** The engines that are not available, each with the reason. */
  readonly missing: readonly string[];
}

/**
 * The engines that the environment names, and a Redis of the test file's own if it names none. Each
 * test file has its own MongoDB database, as it cannot open what another one has sealed. All share
 * the one log of EventStoreDB; a test that needs an empty log gets another server. Call it at the
 * top of a test file; it removes its data at the end of the file. In a file whose tests are all skipped
 * vitest does nothing at the end: pass `ownRedis: false` there, or the Redis would be left running.
 */
export async function reachEngines({
  log = 'shared' as 'shared' | 'empty',
  ownRedis = true,
} = {}): Promise<Reached> {
  const names: string[] = [];
  const missing: string[] = [];
  const env: Record<string, string> = {};
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  const eventStore =
    log === 'empty'
      ? { url: await emptyLog(), why: noEmptyLog }
      : { url: EVENTSTORE_URL, why: 'EVENTSTORE_URL is not set' };
  if (eventStore.url) {
    names.push('EventStoreDB');
    env.EVENTSTORE_URL = eventStore.url;
  } else missing.push(`EventStoreDB (${eventStore.why})`);
  if (MONGODB_URL) {
    names.push('MongoDB');
    env.MONGODB_URL = ownDatabase(MONGODB_URL);
  } else missing.push('MongoDB (MONGODB_URL is not set)');
  const server = process.env.REDIS_URL || !ownRedis ? null : await startRedisServer();
  afterAll(() => server?.stop());
  const url = process.env.REDIS_URL ?? server?.url;
  if (url) {
    names.push('Redis');
    env.REDIS_URL = url;
  } else missing.push(`Redis (${noRedis})`);
  return { names, env, missing };
}

export const noEmptyLog = 'EVENTSTORE_EMPTY_URL names no server with an empty log';

/** The first server of EVENTSTORE_EMPTY_URL (comma-separated) with an empty log; null: none. */
export async function emptyLog(): Promise<string | null> {
  for (const url of (process.env.EVENTSTORE_EMPTY_URL ?? '').split(',').filter(Boolean)) {
    const log = await createEventStoreDb({ url });
    const head = await log.head();
    await log.close();
    if (head === null) return url;
  }
  return null;
}

function ownDatabase(server: string): string {
  const { url, remove } = mongoDatabase(server);
  afterAll(remove);
  return url;
}
