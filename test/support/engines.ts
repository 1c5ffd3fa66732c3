import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventStoreDb } from '@oja/platform';
import { afterAll } from 'vitest';
import { mongoDatabase } from '../../platform/test/contracts/mongo.fixture.js';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';
import { runOja, temporaryFolder } from './market.js';

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

/**
 * Imports nothing into a market whose log other test files share. Without it the market would not open: the log has
 * sellers whose keys are in the databases of those files.
 */
export async function joinSharedLog(
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'nothing.ndjson');
  const header = { kind: 'oja-export', format: 1, logId: 'none', at: '2026-01-31T00:00:00.000Z' };
  const text = `${JSON.stringify(header)}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(file, `${text}${JSON.stringify({ kind: 'oja-export-end', events: 0, sha256 })}\n`);
  const joining = runOja(['import', file], { ...env, DATA_DIR: dataDir, OJA_DEMO: '1' });
  const code = await joining.exited;
  folder.remove();
  if (code !== 0) throw new Error(joining.lines.join('\n'));
}

function ownDatabase(server: string): string {
  const { url, remove } = mongoDatabase(server);
  afterAll(remove);
  return url;
}
