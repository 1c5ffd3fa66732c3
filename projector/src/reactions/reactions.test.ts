import { queues } from '@oja/contracts/models';
import { paymentChecksAfterMs } from '@oja/domain';
import type { KeptJob, RecordedEvent } from '@oja/platform';
import { expect, it } from 'vitest';
import { positionAt } from '../../test/support/log.js';
import { orderEvents } from '../../test/support/market.js';
import { recorded } from '../../test/support/shop.js';
import { findAddedJobs, jobId, reactions } from './reactions.js';

const line = {
  productId: 'p',
  sellerId: 's',
  businessName: 's',
  name: 'p',
  image: 'one.jpg',
  subcategoryId: 24,
  quantity: 1,
  unitPrice: 1_150_000,
  priceKind: 'upload',
} as const;

function placed(): RecordedEvent {
  const [first] = orderEvents('o', [line], 0, []).events;
  if (first === undefined) throw new Error('no order was placed');
  const { type, data } = first;
  return { ...recorded('transaction-o', 0, type, data), position: positionAt(1) };
}

const askedFor = (event: RecordedEvent) =>
  reactions
    .filter(({ events }) => events.includes(event.type))
    .flatMap((reaction) =>
      reaction.react(event).map((request) => ({ ...request, id: jobId(event, reaction, request) })),
    );

it('an order asks for one job, of the first payment check', () => {
  expect(askedFor(placed())).toMatchObject([
    {
      queue: queues.paymentChecks,
      data: { transactionId: 'o', check: 1 },
      delayMs: paymentChecksAfterMs[0],
    },
  ]);
});

it('the jobs that a job has added are found as those of its event', async () => {
  const [first] = askedFor(placed());
  const third = first?.id.replace(/1$/, '3');
  const kept: KeptJob = {
    id: third ?? '',
    queue: queues.paymentChecks,
    state: 'failed',
    tries: 8,
    attempts: 8,
    at: 0,
  };
  const found = await findAddedJobs(
    { find: async (queue, id) => (queue === kept.queue && id === kept.id ? kept : null) },
    [placed()],
  );
  expect(found.map(({ job }) => job)).toEqual([kept]);
});
