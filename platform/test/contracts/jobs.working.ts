import { InvalidJob, type Jobs } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { fresh } from './fixture.js';
import {
  eventually,
  gate,
  type JobsFixture,
  type MakeJobs,
  notingHandler,
} from './jobs.fixture.js';

export function working(make: MakeJobs): void {
  describe('working', () => {
    const data = fresh<Jobs, JobsFixture>(make);

    it('runs a job once, with what was added, and at once', async () => {
      const jobs = await data.open();
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await jobs.add('mail', { order: 'o-1', lines: [1, null, true] }, { id: 'e1-receipt-o1' });
      await noting.until(1);
      expect(noting.seen).toEqual([
        {
          id: 'e1-receipt-o1',
          queue: 'mail',
          data: { order: 'o-1', lines: [1, null, true] },
          attempt: 1,
          addedAt: expect.any(Number),
        },
      ]);
    });

    it('knows an id while it waits, while it runs and after it is done', async () => {
      const jobs = await data.open();
      await jobs.add('mail', { try: 1 }, { id: 'a' });
      await jobs.add('mail', { try: 2 }, { id: 'a' });
      const noting = notingHandler(async () => {
        await jobs.add('mail', { try: 3 }, { id: 'a' });
      });
      jobs.work('mail', noting.handler);
      await noting.until(1);
      await eventually(
        () => jobs.counts('mail'),
        ({ active }) => active === 0,
      );
      await jobs.add('mail', { try: 4 }, { id: 'a' });
      await jobs.add('mail', {}, { id: 'b' });
      await noting.until(2);
      expect(noting.seen.map(({ id, data: { try: number } }) => [id, number])).toEqual([
        ['a', 1],
        ['b', undefined],
      ]);
    });

    it('tells of one job how it stands, by its id', async () => {
      const jobs = await data.open();
      const { opened, open } = gate();
      const noting = notingHandler(async ({ id }) => {
        if (id === 'in vain') throw new Error('no');
        await opened;
      });
      const now = () => data.fixture().clock?.now() ?? Date.now();
      const found = async (id: string) => (await jobs.find('mail', id)) ?? { state: 'unknown' };
      const once = { queue: 'mail', tries: 1, attempts: 8, at: expect.any(Number) };

      const before = now();
      await jobs.add('mail', {}, { id: 'later', delayMs: 60_000 });
      await jobs.add('mail', {}, { id: 'a' });
      const after = now();
      const later = await jobs.find('mail', 'later');
      expect(later).toEqual({ ...once, id: 'later', state: 'waiting', tries: 0 });
      expect(later?.at).toBeGreaterThanOrEqual(before + 60_000);
      expect(later?.at).toBeLessThanOrEqual(after + 60_000);
      expect(await jobs.find('mail', 'a')).toEqual({
        ...once,
        id: 'a',
        state: 'waiting',
        tries: 0,
      });

      jobs.work('mail', noting.handler);
      await noting.until(1);
      expect(await jobs.find('mail', 'a')).toEqual({ ...once, id: 'a', state: 'active' });
      open();
      await eventually(
        () => found('a'),
        ({ state }) => state === 'done',
      );
      await jobs.add('mail', {}, { id: 'in vain', attempts: 2, backoffMs: 0 });
      const failed = await eventually(
        () => found('in vain'),
        ({ state }) => state === 'failed',
      );
      expect(failed).toEqual({ ...once, id: 'in vain', state: 'failed', tries: 2, attempts: 2 });
      expect(await jobs.find('mail', 'a')).toEqual({ ...once, id: 'a', state: 'done' });
      for (const [queue, id] of [
        ['mail', 'nobody'],
        ['push', 'a'],
      ] as const)
        expect(await jobs.find(queue, id)).toBeNull();
    });

    it('keeps queues apart, also for equal ids', async () => {
      const jobs = await data.open();
      const mail = notingHandler();
      jobs.work('mail', mail.handler);
      await jobs.add('push', {}, { id: 'a' });
      await jobs.add('mail', {}, { id: 'a' });
      await mail.until(1);
      expect(mail.seen.map(({ queue }) => queue)).toEqual(['mail']);
      expect(await jobs.counts('push')).toMatchObject({ waiting: 1, active: 0 });
    });

    it('runs as many at a time as it may, in the order they came', async () => {
      const jobs = await data.open();
      const { opened, open } = gate();
      for (const id of ['a', 'b', 'c', 'd']) await jobs.add('mail', {}, { id });
      const noting = notingHandler(() => opened);
      jobs.work('mail', noting.handler, { concurrency: 3 });
      await noting.until(3);
      expect(await jobs.counts('mail')).toEqual({ waiting: 1, delayed: 0, active: 3, failed: 0 });
      open();
      await noting.until(4);
      expect(noting.seen.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('lets a running job end when it closes, and takes no other', async () => {
      const jobs = await data.open();
      const { opened, open } = gate();
      let hasEnded = false;
      const noting = notingHandler(async () => {
        await opened;
        hasEnded = true;
      });
      const worker = jobs.work('mail', noting.handler);
      await jobs.add('mail', {}, { id: 'a' });
      await jobs.add('mail', {}, { id: 'b' });
      await noting.until(1);
      const closed = worker.close();
      open();
      await closed;
      expect(hasEnded).toBe(true);
      expect(await jobs.counts('mail')).toEqual({ waiting: 1, delayed: 0, active: 0, failed: 0 });
    });

    it('keeps jobs through a restart', async () => {
      const before = await data.fixture().open();
      await before.add('mail', { n: 1 }, { id: 'a' });
      await before.close();
      const after = await data.open();
      const noting = notingHandler();
      after.work('mail', noting.handler);
      await noting.until(1);
      expect(noting.seen[0]?.data).toEqual({ n: 1 });
    });

    it('hears of jobs that another process adds', async () => {
      const jobs = await data.open();
      const other = await data.open();
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await other.add('mail', {}, { id: 'a' });
      await noting.until(1);
    });

    it('refuses what no engine takes', async () => {
      const jobs = await data.open();
      const wrong: readonly [string, Parameters<Jobs['add']>[2]][] = [
        ['mail', { id: 'a:b' }],
        ['mail', { id: '' }],
        ['', { id: 'a' }],
        ['a:b', { id: 'a' }],
        ['mail', { id: 'a', delayMs: -1 }],
        ['mail', { id: 'a', delayMs: Number.NaN }],
        ['mail', { id: 'a', attempts: 0 }],
        ['mail', { id: 'a', backoffMs: 0.5 }],
      ];
      for (const [queue, options] of wrong) {
        await expect(jobs.add(queue, {}, options)).rejects.toThrow(InvalidJob);
      }
      const circular: Record<string, never> = {};
      Object.assign(circular, { circular });
      await expect(jobs.add('mail', circular, { id: 'a' })).rejects.toThrow();
      expect(await jobs.counts('mail')).toMatchObject({ waiting: 0 });
    });
  });
}
