import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createRedisJobs, type Jobs, StoreUnavailable } from '@oja/platform';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startChild } from './children.js';
import { fresh } from './fixture.js';
import { eventually, fill, gate, type JobsFixture, notingHandler } from './jobs.fixture.js';
import { redisJobs, shortLeaseMs } from './jobs.redis.js';
import { noRedis, startRedisServer } from './redis-server.js';

const server = await startRedisServer();
afterAll(() => server?.stop());
if (!server) console.info(`skipped: Jobs on a Redis that dies (${noRedis})`);

/** Retries until Redis, which dies and comes back, has answered, as the projector's reactions do. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.permanent) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** An address that leads each new connection to the port of the time, as a fail-over's does. */
async function forwarder(port: number) {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    leadTo(next: number) {
      target = next;
    },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** Everything that Redis stores about jobs, as one text. */
async function everythingIn(url: string): Promise<string> {
  const redis = new Redis(url);
  const keys = await redis.keys('*:job-*');
  const held = await Promise.all(keys.map((key) => redis.hgetall(key).catch(() => ({}))));
  await redis.quit();
  return JSON.stringify(held);
}

describe.skipIf(!server)('Jobs on a Redis of flesh and blood', () => {
  const url = server?.url ?? '';
  const data = fresh<Jobs, JobsFixture>(() => redisJobs(url, shortLeaseMs));

  it('says at once what is wrong with a login or a database that it refuses', async () => {
    const open = (address: string) =>
      createRedisJobs({ url: address, onError: () => {}, openMs: 60_000 });
    await expect(open(`${url}/99`)).rejects.toMatchObject({
      permanent: true,
      message: expect.stringMatching(/refuses the database in REDIS_URL: .*out of range/),
    });
    const refused = {
      permanent: true,
      message: expect.stringMatching(/refuses the name or the password in REDIS_URL: /),
    };
    const redis = new Redis(url);
    await redis.config('SET', 'requirepass', 'right');
    try {
      await expect(open(url)).rejects.toMatchObject(refused);
      await expect(open(url.replace('//', '//:wrong@'))).rejects.toMatchObject(refused);
      await (await open(url.replace('//', '//:right@'))).close();
    } finally {
      await redis.config('SET', 'requirepass', '');
      await redis.quit();
    }
  });

  it('runs a delayed job when its time has come, and not before', async () => {
    const jobs = await data.open();
    const ranAt = new Map<string, number>();
    const noting = notingHandler(async ({ id }) => void ranAt.set(id, Date.now()));
    jobs.work('mail', noting.handler);
    await jobs.add('mail', {}, { id: 'in an hour', delayMs: 3_600_000 });
    await jobs.add('mail', {}, { id: 'later', delayMs: 300 });
    await noting.until(1);
    expect(await jobs.counts('mail')).toMatchObject({ waiting: 0, delayed: 1 });
    expect(noting.seen.map(({ id }) => id)).toEqual(['later']);
    expect(ranAt.get('later')).toBeGreaterThanOrEqual((noting.seen[0]?.addedAt ?? 0) + 300);
  });

  it('tries again after waits that double, so often and no more', async () => {
    const jobs = await data.open();
    const at: number[] = [];
    const noting = notingHandler(async () => {
      at.push(Date.now());
      throw new Error('The mail server is down');
    });
    jobs.work('mail', noting.handler);
    await jobs.add('mail', {}, { id: 'a', attempts: 4, backoffMs: 50 });
    await eventually(
      () => jobs.counts('mail'),
      ({ failed }) => failed === 1,
    );
    expect(noting.seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    for (const [index, wait] of [50, 100, 200].entries()) {
      expect((at[index + 1] ?? 0) - (at[index] ?? 0)).toBeGreaterThanOrEqual(wait);
    }
    await jobs.add('mail', {}, { id: 'a' });
    expect(await jobs.counts('mail')).toEqual({ waiting: 0, delayed: 0, active: 0, failed: 1 });
  });

  it('takes ids of any kind, whole numbers too, and gives them back as they were', async () => {
    const jobs = await data.open();
    const noting = notingHandler();
    jobs.work('mail', noting.handler);
    const ids = ['0', '12', '-1', 'job-1', 'ọjà 🎉', '__proto__', '{x}', '*'];
    for (const id of ids) await jobs.add('mail', {}, { id });
    await noting.until(ids.length);
    expect(noting.seen.map(({ id }) => id)).toEqual(ids);
  });

  it('tells of a job that ends meanwhile how it stood at one moment', async () => {
    const jobs = await data.open();
    const noting = notingHandler(() => Promise.reject(new Error('no')));
    const { getJob } = Queue.prototype;
    vi.spyOn(Queue.prototype, 'getJob').mockImplementationOnce(async function (this: Queue, id) {
      const read = await getJob.call(this, id);
      jobs.work('mail', noting.handler);
      await eventually(
        () => jobs.counts('mail'),
        ({ failed }) => failed === 1,
      );
      return read;
    });
    await jobs.add('mail', {}, { id: 'a', attempts: 2, backoffMs: 0 });
    expect(await jobs.find('mail', 'a')).toMatchObject({ state: 'failed', tries: 2 });
  });

  it('keeps nothing of what a handler complained of', async () => {
    const jobs = await data.open();
    const noting = notingHandler(async () => {
      throw new Error('There is no mailbox chidi@example.com');
    });
    jobs.work('mail', noting.handler);
    await jobs.add('mail', { order: 'o-1' }, { id: 'a', attempts: 1 });
    await eventually(
      () => jobs.counts('mail'),
      ({ failed }) => failed === 1,
    );
    const held = await everythingIn(url);
    expect(held).toContain('o-1');
    expect(held).not.toContain('chidi');
  });

  it('runs the job of a killed process again once its lease has ended', async () => {
    const jobs = await data.open();
    await jobs.add('mail', { n: 1 }, { id: 'hang' });
    const child = startChild('jobsWorker.mjs', data.fixture().address);
    expect(await child.nextLine()).toBe('ready');
    expect(await child.nextLine()).toBe('hang');
    await child.killHard();
    const noting = notingHandler();
    jobs.work('mail', noting.handler);
    await noting.until(1);
    expect(noting.seen[0]).toMatchObject({ id: 'hang', attempt: 2, data: { n: 1 } });
  });

  it('gives up a job that has killed as many processes as it has tries', async () => {
    const jobs = await data.open();
    await jobs.add('mail', {}, { id: 'hang', attempts: 1 });
    const child = startChild('jobsWorker.mjs', data.fixture().address);
    expect(await child.nextLine()).toBe('ready');
    expect(await child.nextLine()).toBe('hang');
    await child.killHard();
    const noting = notingHandler();
    jobs.work('mail', noting.handler);
    await eventually(
      () => jobs.counts('mail'),
      ({ failed }) => failed === 1,
    );
    expect(noting.seen).toEqual([]);
  });

  it('loses no acknowledged job when Redis is killed and started again, twice', async () => {
    const jobs = await data.open();
    const [first, second] = [gate(), gate()];
    const noting = notingHandler(async ({ id }) => {
      if (id === 'job-20') await first.opened;
      if (id === 'job-60') await second.opened;
    });
    jobs.work('mail', noting.handler, { concurrency: 5 });
    const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`);
    const adding = (async () => {
      for (const id of ids) await insist(() => jobs.add('mail', {}, { id }));
    })();
    for (const [many, inFlight] of [
      [21, first],
      [61, second],
    ] as const) {
      await noting.until(many);
      await server?.killHard();
      inFlight.open();
      await server?.start();
    }
    await adding;
    const done = () => new Set(noting.seen.map(({ id }) => id));
    await eventually(
      () => insist(() => jobs.counts('mail')),
      ({ waiting, active, delayed }) => waiting + active + delayed === 0,
    );
    // A job may have run twice, with the same effect.
    expect([...done()].sort()).toEqual([...ids].sort());
    expect(await insist(() => jobs.counts('mail'))).toMatchObject({ failed: 0 });
  });

  it('refuses at once to add while Redis is away, and closes all the same', async () => {
    const jobs = await data.open();
    const { opened, open } = gate();
    const noting = notingHandler(() => opened);
    jobs.work('mail', noting.handler);
    await jobs.add('mail', {}, { id: 'a' });
    await noting.until(1);
    await server?.killHard();
    await expect(jobs.add('mail', {}, { id: 'b' })).rejects.toThrow(StoreUnavailable);
    await expect(jobs.counts('mail')).rejects.toThrow(StoreUnavailable);
    open();
    await jobs.close();
    await expect(createRedisJobs({ url, openMs: 200 })).rejects.toThrow(
      /^Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/,
    );
    await server?.start();
    const again = await data.open();
    again.work('mail', noting.handler);
    await noting.until(2);
    expect(noting.seen[1]).toMatchObject({ id: 'a', attempt: 2 });
  });

  it('goes on with another server after its own was made a replica of that', async () => {
    const [first, second] = [await startRedisServer(), await startRedisServer()];
    if (!first || !second) throw new Error(noRedis);
    const portOf = (server: { readonly url: string }) => new URL(server.url).port;
    const [one, other] = [new Redis(first.url), new Redis(second.url)];
    await other.replicaof('127.0.0.1', portOf(first));
    await eventually(
      () => other.info('replication'),
      (told) => told.includes('master_link_status:up'),
    );
    const address = await forwarder(Number(portOf(first)));
    const under = await redisJobs(address.url, shortLeaseMs);
    const jobs = await under.open();
    const noting = notingHandler();
    jobs.work('mail', noting.handler);
    await jobs.add('mail', {}, { id: 'before' });
    await noting.until(1);

    address.leadTo(Number(portOf(second)));
    await other.replicaof('NO', 'ONE');
    // Its connections stay open, and it refuses what writes on them.
    await one.replicaof('127.0.0.1', portOf(second));
    await insist(() => jobs.add('mail', {}, { id: 'after' }));
    // The end of the first may not have reached the replica: it is then done once more.
    const ids = await eventually(
      async () => new Set(noting.seen.map(({ id }) => id)),
      (seen) => seen.has('after'),
    );
    expect(ids).toEqual(new Set(['before', 'after']));

    await jobs.close();
    await Promise.all([one.quit(), other.quit()]);
    address.close();
    await Promise.all([first.stop(), second.stop()]);
  });

  it('acknowledges no job that a full Redis has not taken', async () => {
    const jobs = await data.open();
    const redis = new Redis(url);
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', used + 500_000);
    const added = await fill(jobs);
    await redis.config('SET', 'maxmemory', 0);
    await redis.quit();
    expect(await jobs.counts('mail')).toMatchObject({ waiting: added });
  });
});
