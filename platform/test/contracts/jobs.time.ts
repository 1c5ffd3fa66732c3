import type { Jobs } from '@oja/platform';
import { describe, expect, it, type TestContext } from 'vitest';
import { fresh } from './fixture.js';
import {
  eventually,
  type JobsFixture,
  type MakeJobs,
  notingHandler,
  type TestClock,
} from './jobs.fixture.js';

const minute = 60_000;

export function inTime(make: MakeJobs): void {
  describe('in time', () => {
    const data = fresh<Jobs, JobsFixture>(make);

    function clockOf(test: TestContext): TestClock {
      return data.fixture().clock ?? test.skip('the time of this engine cannot be moved');
    }

    it('runs a delayed job when its time has come, and not before', async (test) => {
      const clock = clockOf(test);
      const jobs = await data.open();
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await jobs.add('mail', {}, { id: 'later', delayMs: minute });
      await jobs.add('mail', {}, { id: 'now' });
      await noting.until(1);
      expect(await jobs.counts('mail')).toMatchObject({ waiting: 0, delayed: 1 });
      clock.move(minute - 1);
      await jobs.add('mail', {}, { id: 'still before' });
      await noting.until(2);
      clock.move(1);
      await noting.until(3);
      expect(noting.seen.map(({ id }) => id)).toEqual(['now', 'still before', 'later']);
    });

    it('tries again after waits that double, so often and no more', async (test) => {
      const clock = clockOf(test);
      const jobs = await data.open();
      const noting = notingHandler(async () => {
        throw new Error('The mail server is down');
      });
      jobs.work('mail', noting.handler);
      await jobs.add('mail', {}, { id: 'a', attempts: 4, backoffMs: 100 });
      const delayed = () =>
        eventually(
          () => jobs.counts('mail'),
          (counts) => counts.delayed === 1,
        );
      for (const [attempt, wait] of [100, 200, 400].entries()) {
        await noting.until(attempt + 1);
        await delayed();
        clock.move(wait - 1);
        expect(await jobs.counts('mail')).toMatchObject({ delayed: 1, waiting: 0 });
        clock.move(1);
      }
      await noting.until(4);
      await eventually(
        () => jobs.counts('mail'),
        ({ failed }) => failed === 1,
      );
      clock.move(60 * minute);
      await jobs.add('mail', {}, { id: 'a' });
      expect(await jobs.counts('mail')).toEqual({ waiting: 0, delayed: 0, active: 0, failed: 1 });
      expect(noting.seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    });

    it('remembers failed jobs, but not all of them for ever', async () => {
      const jobs = await data.open();
      const { keepFailed } = data.fixture();
      const noting = notingHandler(async () => {
        throw new Error('no');
      });
      jobs.work('mail', noting.handler, { concurrency: 5 });
      const many = keepFailed * 2;
      for (let index = 0; index < many; index += 1) {
        await jobs.add('mail', {}, { id: `job-${index}`, attempts: 1 });
      }
      await noting.until(many);
      const idle = await eventually(
        () => jobs.counts('mail'),
        ({ active }) => active === 0,
      );
      expect(idle.failed).toBeGreaterThanOrEqual(keepFailed);
      expect(idle.failed).toBeLessThanOrEqual(keepFailed * 1.1 + 1);
    });

    it('lets nothing wait longer than it should when the clock goes back', async (test) => {
      const clock = clockOf(test);
      const jobs = await data.open();
      const noting = notingHandler();
      jobs.work('mail', noting.handler);
      await jobs.add('mail', {}, { id: 'first' });
      await noting.until(1);
      await jobs.add('mail', {}, { id: 'delayed', delayMs: minute });
      clock.move(-600 * minute);
      await jobs.add('mail', {}, { id: 'added after' });
      await noting.until(2);
      clock.move(minute);
      await noting.until(3);
      expect(noting.seen.map(({ id }) => id)).toEqual(['first', 'added after', 'delayed']);
    });
  });
}
