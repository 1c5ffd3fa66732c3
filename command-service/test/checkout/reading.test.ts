import { queues } from '@oja/contracts/models';
import { DAY_MS, seller } from '@oja/domain';
import type { EventStore, Jobs, JsonObject } from '@oja/platform';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWorkers } from '../../src/sweeps/index.js';
import { HOUR, type Market, openMarket } from './market.js';

type JobHandler = Parameters<Jobs['work']>[1];

let market: Market;
let reads: Map<string, number>;
beforeEach(async () => {
  market = await openMarket({ payouts: true });
  reads = new Map();
  const { eventStore } = market.deps;
  const real: EventStore['readStream'] = eventStore.readStream.bind(eventStore);
  vi.spyOn(eventStore, 'readStream').mockImplementation((stream, options) => {
    reads.set(stream, (reads.get(stream) ?? 0) + 1);
    return real(stream, options);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await market.close();
});

/** Runs a command and checks that it succeeds and reads each stream at most once. */
async function readsOnce(command: () => Promise<{ readonly status: number }>): Promise<void> {
  reads.clear();
  expect((await command()).status).toBe(200);
  expect(reads.size).toBeGreaterThan(0);
  for (const [stream, times] of reads) expect(times, stream).toBe(1);
}

it('each command to an order reads each stream once', async () => {
  await readsOnce(() => market.initialize([{ id: 'bag' }], 11_500));
  const order = await market.ordered();
  await market.press(order.address, 'pay');
  await readsOnce(() => market.verify(order.reference, order.cookie));
  await readsOnce(() => market.verify(order.reference, order.cookie));
  await readsOnce(() => market.call('POST', `/v1/orders/${order.key}/not-received`));
  market.pass(48 * HOUR);
  const complaint = { sellerIds: ['ada'], message: 'A broken zip' };
  await readsOnce(() => market.call('POST', `/v1/orders/${order.key}/problem`, complaint));
  await market.seller('head', {
    type: 'HeadAdminGranted',
    data: { sellerId: 'head', by: 'operator' },
  });
  const token = await market.tokenOf('head');
  const outcome = { sellerId: 'ada', outcome: 'release' };
  await readsOnce(() =>
    market.call('POST', `/v1/transactions/${order.id}/resolve`, outcome, token),
  );
  const another = await market.paid();
  await readsOnce(() => market.call('PUT', `/v1/buyers/transactions/${another.key}`));
  await readsOnce(() => market.call('DELETE', `/v1/buyers/${order.id}`, undefined, token));
});

/**
 * Starts the queue workers. The result runs one job and checks that it reads each stream once, but for
 * the stream `again`, which it reads twice.
 */
function workers(): (queue: string, data: JsonObject, again?: string) => Promise<void> {
  const handlers = new Map<string, JobHandler>();
  const jobs = {
    add: async () => {},
    work(queue: string, handler: JobHandler) {
      handlers.set(queue, handler);
      return { close: async () => {} };
    },
    counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
    find: async () => null,
    close: async () => {},
  };
  startWorkers({ ...market.deps, jobs });
  return async (queue, data, again) => {
    reads.clear();
    const job = { id: 'a job', queue, data, attempt: 1, addedAt: market.clock.now() };
    await handlers.get(queue)?.(job);
    for (const [stream, times] of reads)
      expect(times, `${stream} by ${queue}`).toBe(stream === again ? 2 : 1);
  };
}

it('each job reads each stream once, whatever the provider says, but for a transfer that is sent', async () => {
  const { sealer, state, clock } = market.deps;
  const account = { accountName: 'Ada Obi', accountNumber: '0123456789', bankCode: '058' };
  const sealed = await sealer.seal('seller:ada', 'seller-ada', account);
  await market.happen(seller, 'ada', {
    type: 'PayoutAccountSet',
    data: { sellerId: 'ada', ...sealed },
  });
  await market.seller('head', {
    type: 'HeadAdminGranted',
    data: { sellerId: 'head', by: 'operator' },
  });
  const work = workers();
  const workNotices = async () => {
    await market.sandbox.deliverDue();
    const waiting = await state.list('webhooks', 'todo/', clock.now());
    for (const { key } of waiting) await work(queues.webhooks, { key: key.slice('todo/'.length) });
    return waiting.length;
  };
  const order = await market.ordered();
  const transactionId = order.id;
  await work(queues.paymentChecks, { transactionId });
  await market.press(order.address, 'pay');
  expect(await workNotices()).toBe(1);
  await work(queues.paymentChecks, { transactionId });
  await market.control({ raise: 'dispute', reference: order.reference, id: 358_950 });
  expect(await workNotices()).toBe(1);
  await market.control({ raise: 'dispute-won', reference: order.reference, id: 358_950 });
  expect(await workNotices()).toBe(1);
  await market.call('PUT', `/v1/buyers/transactions/${order.key}`);
  // Once the transfer is claimed, the order is read again, because money that was sent does not come back.
  const ofOrder = `transaction-${transactionId}`;
  await work(queues.payouts, { transactionId, sellerId: 'ada' }, ofOrder);
  market.pass(HOUR);
  expect(await workNotices()).toBe(1);
  expect(await market.story(transactionId)).toContain('PayoutCompleted');

  const other = await market.paid();
  await market.sandbox.deliverDue();
  market.pass(2 * DAY_MS);
  const complaint = { sellerIds: ['ada'], message: 'A broken zip' };
  await market.call('POST', `/v1/orders/${other.key}/problem`, complaint);
  const outcome = { sellerId: 'ada', outcome: 'refund' };
  const token = await market.tokenOf('head');
  await market.call('POST', `/v1/transactions/${other.id}/resolve`, outcome, token);
  await work(queues.refunds, { transactionId: other.id });
  market.pass(HOUR);
  await workNotices();
  expect((await market.story(other.id)).at(-1)).toBe('RefundCompleted');
});
