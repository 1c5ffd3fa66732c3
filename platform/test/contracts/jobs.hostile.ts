import type { Jobs } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { startChild } from './children.js';
import { fresh } from './fixture.js';
import {
  eventually,
  fill,
  gate,
  type JobsFixture,
  type MakeJobs,
  notingHandler,
} from './jobs.fixture.js';

export function hostileMachine(make: MakeJobs): void {
  describe('on a hostile machine', () => {
    const data = fresh<Jobs, JobsFixture>(make);

    it('gives each job to one of two processes only', async () => {
      const jobs = await data.open();
      const children = ['a', 'b'].map(() => startChild('jobsWorker.mjs', data.fixture().address));
      for (const child of children) expect(await child.nextLine()).toBe('ready');
      const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`);
      await Promise.all(ids.map((id) => jobs.add('mail', {}, { id })));
      await eventually(
        () => jobs.counts('mail'),
        ({ waiting, active }) => waiting + active === 0,
      );
      await jobs.add('end', {}, { id: 'one' });
      await jobs.add('end', {}, { id: 'two' });
      const ran: string[] = [];
      for (const child of children) {
        for await (const line of child.lines) ran.push(line);
        await child.finish();
      }
      expect(ran.sort()).toEqual(ids.sort());
    });

    it('runs the job of a killed process again once its lease has ended', async (test) => {
      const { clock, leaseMs, address } = data.fixture();
      if (!clock) return test.skip('the time of this engine cannot be moved');
      const jobs = await data.open();
      await jobs.add('mail', { n: 1 }, { id: 'hang' });
      const child = startChild('jobsWorker.mjs', address);
      expect(await child.nextLine()).toBe('ready');
      expect(await child.nextLine()).toBe('hang');
      await child.killHard();
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await jobs.add('mail', {}, { id: 'other' });
      await noting.until(1);
      expect(noting.seen.map(({ id }) => id)).toEqual(['other']);
      clock.move(leaseMs + 60_000);
      await noting.until(2);
      expect(noting.seen[1]).toMatchObject({ id: 'hang', attempt: 2, data: { n: 1 } });
    });

    it('gives up a job that has killed as many processes as it has tries', async (test) => {
      const { clock, leaseMs, address } = data.fixture();
      if (!clock) return test.skip('the time of this engine cannot be moved');
      const jobs = await data.open();
      await jobs.add('mail', {}, { id: 'hang', attempts: 1 });
      const child = startChild('jobsWorker.mjs', address);
      expect(await child.nextLine()).toBe('ready');
      expect(await child.nextLine()).toBe('hang');
      await child.killHard();
      clock.move(leaseMs + 60_000);
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await eventually(
        () => jobs.counts('mail'),
        ({ failed }) => failed === 1,
      );
      expect(noting.seen).toEqual([]);
    });

    it('lets nobody end a job whose lease was lost in the meantime', async (test) => {
      const { clock, leaseMs } = data.fixture();
      if (!clock) return test.skip('the time of this engine cannot be moved');
      const [slow, quick] = [await data.open(), await data.open()];
      const first = gate();
      const second = gate();
      const slowly = notingHandler(() => first.opened);
      await slow.add('mail', {}, { id: 'a' });
      const slowWorker = slow.work('mail', slowly.handler);
      await slowly.until(1);
      const quickly = notingHandler(() => second.opened);
      quick.work('mail', quickly.handler);
      clock.move(leaseMs + 1);
      await quickly.until(1);
      first.open();
      await slowWorker.close();
      expect(await quick.counts('mail')).toMatchObject({ active: 1 });
      second.open();
      await eventually(
        () => quick.counts('mail'),
        ({ active }) => active === 0,
      );
      expect(await quick.counts('mail')).toEqual({ waiting: 0, delayed: 0, active: 0, failed: 0 });
    });

    it('acknowledges no job that a full disk has not taken', async (test) => {
      const { openOnSmallDisk } = data.fixture();
      if (!openOnSmallDisk) return test.skip('this engine has no small disk');
      const jobs = data.opened(await openOnSmallDisk());
      const added = await fill(jobs);
      const again = await data.open();
      expect(await again.counts('mail')).toMatchObject({ waiting: added });
    });
  });
}
