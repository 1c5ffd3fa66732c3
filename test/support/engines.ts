import { afterAll } from 'vitest';
import { mongoDatabase } from '../../platform/test/contracts/mongo.fixture.js';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';

/** The distributed engines that can be reached from here. */
export interface Reached {
  /** How they are called, with where they come from. */
  readonly names: readonly string[];
  /** The variables that point a service at them. */
  readonly env: Readonly<Record<string, string>>;
  /** The others, each with why. */
  readonly missing: readonly string[];
}

const others = { EVENTSTORE_URL: 'EventStoreDB', MONGODB_URL: 'MongoDB' } as const;

/**
 * What the environment names, and a Redis of the test file's own where it names none. In MongoDB each test file has
 * a database of its own: what another has sealed is closed to it. Called at the top of a test file, whose end
 * removes what was made.
 */
export async function reachEngines(): Promise<Reached> {
  const names: string[] = [];
  const missing: string[] = [];
  const env: Record<string, string> = {};
  for (const [variable, engine] of Object.entries(others)) {
    const url = process.env[variable];
    if (url) {
      names.push(engine);
      env[variable] = variable === 'MONGODB_URL' ? ownDatabase(url) : url;
    } else missing.push(`${engine} (${variable} is not set)`);
  }
  const server = process.env.REDIS_URL ? null : await startRedisServer();
  afterAll(() => server?.stop());
  const url = process.env.REDIS_URL ?? server?.url;
  if (url) {
    names.push('Redis');
    env.REDIS_URL = url;
  } else missing.push(`Redis (${noRedis})`);
  return { names, env, missing };
}

function ownDatabase(server: string): string {
  const { url, remove } = mongoDatabase(server);
  afterAll(remove);
  return url;
}
