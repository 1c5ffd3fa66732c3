import { queues } from '@oja/contracts/models';
import { ORDER_EXPIRES_AFTER_MS, paymentChecksAfterMs } from '@oja/domain/rules';
import type { Job, JobOptions, Jobs, JsonObject } from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorkers } from '../../src/sweeps/index.js';
import { type Market, openMarket } from './market.js';

const MINUTE = 60_000;
const { paymentChecks } = queues;

interface Added {
  readonly data: JsonObject;
  readonly options: JobOptions;
}

let market: Market;
/** References that the provider was asked about. */
let asked: string[];
/** Jobs that were added and not run yet. */
let added: Added[];
let handler: (job: Job) => Promise<void>;

beforeEach(async () => {
  market = await openMarket();
  asked = [];
  added = [];
  market.provider({
    verify(reference) {
      asked.push(reference);
      return market.paystack.verify(reference);
    },
  });
  const jobs: Jobs = {
    async add(queue, data, options) {
      expect(queue).toBe(paymentChecks);
      added.push({ data, options });
    },
    work(queue, work) {
      if (queue === paymentChecks) handler = work;
      return { close: async () => {} };
    },
    counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
    find: async () => null,
    close: async () => {},
  };
  startWorkers({ ...market.deps, jobs });
});
afterEach(() => market.close());

/** Runs a job as the queue would. */
const run = (data: JsonObject, id = 'placed-payment-check-order-1') =>
  handler({ id, queue: paymentChecks, data, attempt: 1, addedAt: market.clock.now() });

/** Runs the job that the last one added, at its time. */
async function next(): Promise<void> {
  const [job, ...others] = added;
  expect(others).toEqual([]);
  added = [];
  if (job === undefined) throw new Error('no job was added');
  market.pass(job.options.delayMs ?? 0);
  await run(job.data, job.options.id);
}

it('an unpaid order is asked after once at each of its times, by one job at a time', async () => {
  const { id } = await market.ordered();
  const placed = market.clock.now();
  market.pass(MINUTE);
  await run({ transactionId: id, check: 1 });
  const times = [market.clock.now() - placed];
  while (added.length > 0) {
    await next();
    times.push(market.clock.now() - placed);
  }
  expect(times).toEqual(paymentChecksAfterMs);
  expect(asked).toHaveLength(paymentChecksAfterMs.length);
});

it('what a job has asked, the sweep does not ask again, nor a job what a sweep has', async () => {
  const { id } = await market.ordered();
  market.pass(MINUTE);
  await run({ transactionId: id, check: 1 });
  await market.sweep();
  expect(asked).toHaveLength(1);
  market.pass(4 * MINUTE);
  await market.sweep();
  expect(asked).toHaveLength(2);
  const [second] = added;
  added = [];
  await run(second?.data ?? {}, second?.options.id);
  expect(asked).toHaveLength(2);
  expect(added).toMatchObject([{ options: { id: 'placed-payment-check-order-3' } }]);
});

it('a paid order is asked after no more', async () => {
  const { id } = await market.paid();
  asked = [];
  market.pass(MINUTE);
  await run({ transactionId: id, check: 1 });
  expect([asked, added]).toEqual([[], []]);
});

it('a paid order that was begun twice is asked after until the end, since it may be paid twice', async () => {
  const { verify } = market.deps.payments;
  let isLost = true;
  market.provider({
    verify,
    async initialize(payment) {
      const answer = await market.paystack.initialize(payment);
      if (!isLost) return answer;
      isLost = false;
      return { ok: false, reason: 'unreachable' };
    },
  });
  const order = await market.ordered();
  await market.press(order.address, 'pay');
  const second = `${order.id}-2`;
  expect(await market.verify(second)).toMatchObject({ body: { ok: true } });
  asked = [];
  market.pass(MINUTE);
  await run({ transactionId: order.id, check: 1 });
  while (added.length > 0) await next();
  expect(asked).toEqual(paymentChecksAfterMs.map(() => order.id));
});

it('a job of an earlier version, which does not say which check it is, checks all the same', async () => {
  const { id } = await market.ordered();
  market.pass(15 * MINUTE);
  await run({ transactionId: id }, 'placed-payment-check-order-3');
  expect(asked).toHaveLength(1);
  expect(added).toMatchObject([{ options: { id: 'placed-payment-check-order-4' } }]);
});

it('a provider that does not answer is asked again by the same job', async () => {
  const { id } = await market.ordered();
  market.pass(MINUTE);
  market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
  await expect(run({ transactionId: id, check: 1 })).rejects.toThrow('has not answered');
  expect(added).toEqual([]);
  market.provider({});
  await run({ transactionId: id, check: 1 });
  expect(added).toHaveLength(1);
});

it('the last check is the one at which the order expires', async () => {
  const { id } = await market.ordered();
  market.pass(ORDER_EXPIRES_AFTER_MS);
  await run({ transactionId: id, check: 6 });
  expect(asked).toHaveLength(1);
  expect(added).toEqual([]);
});
