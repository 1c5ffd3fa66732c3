import { join } from 'node:path';
import { createEmbeddedJobs, openSql, type WakeableJobs } from '@oja/platform';
import { afterAll, expect, it } from 'vitest';
import { runContract } from './engines.js';
import { temporaryFolder } from './folders.js';
import { eventually, type JobsFixture, notingHandler } from './jobs.fixture.js';
import { jobsContract } from './jobs.js';
import { redisJobs } from './jobs.redis.js';
import { noRedis, startRedisServer } from './redis-server.js';

const leaseMs = 30_000;
const keepFailed = 20;
const fewPages = 60;

async function embedded(): Promise<JobsFixture> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'jobs');
  const engines = new Set<WakeableJobs>();
  // Stands still, but near the real time, which the child processes of the tests use.
  let now = Date.now();
  const clock = {
    now: () => now,
    move(milliseconds: number) {
      now += milliseconds;
      for (const engine of engines) engine.wake();
    },
  };
  async function open(maxPages?: number): Promise<WakeableJobs> {
    const small = maxPages === undefined ? {} : { maxPages };
    const engine = await createEmbeddedJobs({ file, clock, leaseMs, keepFailed, ...small });
    engines.add(engine);
    return engine;
  }
  return {
    open: () => open(),
    openOnSmallDisk: () => open(fewPages),
    address: JSON.stringify({ embedded: { file, leaseMs } }),
    clock,
    leaseMs,
    keepFailed,
    remove: folder.remove,
  };
}

const server = process.env.REDIS_URL ? null : await startRedisServer();
afterAll(() => server?.stop());
const url = process.env.REDIS_URL ?? server?.url;

runContract('Jobs', jobsContract, [
  { name: 'SQLite', make: embedded },
  url ? { name: 'Redis', make: () => redisJobs(url) } : { name: 'Redis', missing: noRedis },
]);

it.each([
  ['JSON', "'{'"],
  ['text', "CAST(x'7bff7d' AS TEXT)"],
])('a job whose data are no longer %s fails, and the others are worked on', async (_, data) => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'jobs');
  const failed: (string | undefined)[] = [];
  const jobs = await createEmbeddedJobs({ file, onError: (_, job) => failed.push(job?.id) });
  await jobs.add('mail', {}, { id: 'spoilt', attempts: 2, backoffMs: 0 });
  await jobs.add('mail', {}, { id: 'sound' });
  const sql = openSql(file, { synchronous: 'FULL' });
  sql.exec(`UPDATE jobs SET data = ${data} WHERE id = 'spoilt'`);
  sql.close();
  const noting = notingHandler();
  jobs.work('mail', noting.handler);
  await eventually(
    () => jobs.find('mail', 'spoilt'),
    (job) => job?.state === 'failed',
  );
  await noting.until(1);
  expect(noting.seen.map(({ id }) => id)).toEqual(['sound']);
  expect(failed).toEqual(['spoilt', 'spoilt']);
  await jobs.close();
  await folder.remove();
});

it('names the file where the id of a job is no text any more', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'jobs');
  const said: unknown[] = [];
  const jobs = await createEmbeddedJobs({ file, onError: (error) => said.push(error) });
  await jobs.add('mail', {}, { id: 'spoilt' });
  const sql = openSql(file, { synchronous: 'FULL' });
  sql.exec("UPDATE jobs SET id = CAST(x'73ff' AS TEXT)");
  sql.close();
  jobs.work('mail', notingHandler().handler);
  await expect
    .poll(() => String(said[0]), { timeout: 20_000 })
    .toMatch(/jobs is damaged \(a job is no text\)/);
  await jobs.close();
  await folder.remove();
});
