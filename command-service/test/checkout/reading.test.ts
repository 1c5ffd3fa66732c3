import type { EventStore } from '@oja/platform';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HOUR, type Market, openMarket } from './market.js';

let market: Market;
let reads: Map<string, number>;
beforeEach(async () => {
  market = await openMarket();
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

/** What one command has read, by stream: each at most once. */
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
  await readsOnce(() => market.call('PUT', `/v1/buyers/transactions/${order.key}`));
  await readsOnce(() => market.call('DELETE', `/v1/buyers/${order.id}`, undefined, token));
});
