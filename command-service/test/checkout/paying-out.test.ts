import { PAYOUT_CLEARS_AFTER_MS, type TransactionEvent, transaction } from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import { afterEach, describe, expect, it } from 'vitest';
import { endTransfer, listPayable, markPaid, waitingWebhooks } from '../../src/checkout/index.js';
import { HOUR, type Market } from './market.js';
import { openReleased, setAccount } from './released.js';

let market: Market;
afterEach(() => market.close());

/** A paid order whose buyer has confirmed the delivery. */
async function releasedOrder(payouts: boolean) {
  const opened = await openReleased(payouts);
  market = opened.market;
  return opened.order;
}

const released = async (payouts: boolean) => (await releasedOrder(payouts)).id;

const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];

/** How many notices of the provider are not done with. */
async function waitingNow(): Promise<number> {
  let count = 0;
  for await (const _ of waitingWebhooks(market.deps)) count += 1;
  return count;
}

describe('a released share', () => {
  it('shows what the provider says when it refuses the transfer', async () => {
    const id = await released(true);
    const message = 'Your balance is not enough to fulfil this request';
    market.provider({ transfer: async () => ({ ok: false, reason: 'refused', message }) });
    await market.sweep();
    expect(await listPayable(market.deps)).toMatchObject([
      { transactionId: id, says: `refused: ${message}`, needsSomebody: false },
    ]);
    market.pass(MINUTE_MS);
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
      refusal: {
        code: 'under_way',
        message: `A transfer of this share was asked for, and the provider has refused it ('${message}'); if it was settled otherwise, say so with a reason`,
      },
    });
    expect(await markPaid(market.deps, id, 'ada', 'in cash')).toMatchObject({
      refusal: { code: 'sending', message: expect.stringMatching(/in two minutes$/) },
    });
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
      refusal: { message: expect.stringContaining('and the provider does not answer;') },
    });
    market.provider({});
    market.pass(HOUR);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutRequested');
    expect(await listPayable(market.deps)).not.toMatchObject([{ says: `refused: ${message}` }]);
  });

  it('is looked up page by page, however many there are', async () => {
    const id = await released(false);
    await market.sweep();
    const { documents } = market.deps;
    const one: typeof documents.find = (collection, query) => {
      expect(query.limit).toBeGreaterThan(1);
      return documents.find(collection, { ...query, limit: 1 });
    };
    const listed = await listPayable({ ...market.deps, documents: { ...documents, find: one } });
    expect(listed.map(({ transactionId }) => transactionId)).toEqual([id]);
  });

  it('is paid by transfer where that is on, and the webhook tells that it arrived', async () => {
    const id = await released(true);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('payout-requested');
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
      refusal: { message: expect.stringContaining("already (it says 'pending')") },
    });
    market.pass(60_000);
    // The webhooks of the payment and of the transfer.
    expect(await market.sandbox.deliverDue()).toBe(2);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('paid-out');
  });

  it('says by transfer where it goes: the end of the account and its bank, sealed', async () => {
    const id = await released(true);
    await market.sweep();
    const { payoutAccount } = (await shareOf(id)) ?? {};
    expect(JSON.stringify(payoutAccount)).not.toContain('Guaranty');
    expect(payoutAccount?.accountEnd.subject).toBe('seller:ada');
    expect(await listPayable(market.deps)).toMatchObject([
      { sentTo: { accountEnd: '6789', bankName: 'Guaranty Trust Bank' } },
    ]);
  });

  it('goes where the seller wants it when it is sent, and says so', async () => {
    const id = await released(true);
    const paidTo: string[] = [];
    // The transfer is requested, but the provider is down until the seller has changed their bank.
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    expect((await shareOf(id))?.payoutId).toBe(`${id}_0_0`);
    await setAccount(market, '9876543210', '057');
    market.provider({
      createRecipient: async (account) => {
        paidTo.push(account.accountNumber);
        return market.paystack.createRecipient(account);
      },
    });
    market.pass(HOUR);
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect(paidTo).toEqual(['9876543210']);
    expect((await shareOf(id))?.payoutId).toBe(`${id}_0_1`);
    expect(await listPayable(market.deps)).toMatchObject([
      { sentTo: { accountEnd: '3210', bankName: 'Zenith Bank' } },
    ]);
  });

  it('is paid once although the answer was lost and the webhook never came', async () => {
    const id = await released(true);
    const references: string[] = [];
    market.provider({
      transfer: async (request) => {
        references.push(request.reference);
        const answer = await market.paystack.transfer(request);
        return references.length === 1 ? { ok: false, reason: 'unreachable' } : answer;
      },
    });
    await market.sweep();
    market.pass(60_000);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('paid-out');
    expect(new Set(references).size).toBe(1);
  });

  it.each([
    [
      'its payment is disputed',
      (transactionId: string, reference: string, at: string): TransactionEvent => ({
        type: 'PaymentDisputed',
        data: { transactionId, reference, disputeId: '358950', at },
      }),
    ],
    [
      'somebody ends its payout',
      (transactionId: string, _: string, at: string): TransactionEvent => ({
        type: 'PayoutFailed',
        data: {
          transactionId,
          sellerId: 'ada',
          payoutId: `${transactionId}_0_0`,
          amount: 1_000_000,
          reason: 'paid in cash',
          reversed: false,
          givenUp: true,
          at,
        },
      }),
    ],
  ])(
    'is not sent where %s while the sweep that has read it asks the provider',
    async (_, event) => {
      const { id, reference } = await releasedOrder(true);
      const sent: string[] = [];
      market.provider({
        verifyTransfer: async () => {
          const at = new Date(market.deps.clock.now()).toISOString();
          await market.happen(transaction, id, event(id, reference, at));
          return { ok: false, reason: 'not-found' };
        },
        transfer: async (request) => {
          sent.push(request.reference);
          return market.paystack.transfer(request);
        },
      });
      await market.sweep();
      expect((await market.story(id)).slice(-2)).toEqual([
        'PayoutRequested',
        event(id, reference, '').type,
      ]);
      expect(sent).toEqual([]);
    },
  );

  it('waits while the provider does not answer about its payment, whose dispute is over', async () => {
    const { id, reference } = await releasedOrder(true);
    const raised = async (raise: string) => {
      await market.control({ raise, reference, id: 358_950 });
      await market.sandbox.deliverDue();
    };
    await raised('dispute');
    await market.sweep();
    await raised('dispute-won');
    let asked = 0;
    market.provider({
      // The notice of the end is answered, and nothing after it.
      verify: async (of) =>
        ++asked === 1 ? market.paystack.verify(of) : { ok: false, reason: 'unreachable' },
    });
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PaymentDisputeClosed');
    market.provider({});
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutRequested');
  });

  it.each([
    ['paid by hand', markPaid],
    ['ended', endTransfer],
  ])('cannot be %s while its transfer is being sent', async (_, settle) => {
    const id = await released(true);
    const settled: unknown[] = [];
    market.provider({
      transfer: async (request) => {
        settled.push(await settle(market.deps, id, 'ada', 'paid in cash'));
        return market.paystack.transfer(request);
      },
    });
    await market.sweep();
    expect(settled).toMatchObject([{ ok: false, refusal: { code: 'sending' } }]);
    market.pass(HOUR);
    await market.sweep();
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
  });

  it('is sent although the clock was a year ahead when the provider did not answer last', async () => {
    const id = await released(true);
    const sent: string[] = [];
    market.provider({
      transfer: async ({ reference }) => {
        sent.push(reference);
        return { ok: false, reason: 'unreachable' };
      },
    });
    await market.sweep();
    market.pass(8_760 * HOUR);
    await market.sweep();
    market.pass(-8_759 * HOUR);
    await market.sweep();
    expect(sent).toEqual([0, 1, 2].map(() => `${id}_0_0`));
  });

  it('is not sent by a process that stood still for two minutes after it had claimed it', async () => {
    const id = await released(true);
    const sent: string[] = [];
    let isFirst = true;
    market.provider({
      createRecipient: async (account) => {
        if (isFirst) market.pass(2 * 60_000);
        isFirst = false;
        return market.paystack.createRecipient(account);
      },
      transfer: async (request) => {
        sent.push(request.reference);
        return market.paystack.transfer(request);
      },
    });
    await market.sweep();
    expect(isFirst).toBe(false);
    expect(sent).toEqual([]);
    await market.sweep();
    expect(sent).toEqual([`${id}_0_0`]);
  });

  it('goes where the seller wants it after a process that had claimed it stood still', async () => {
    const id = await released(true);
    const paidTo: string[] = [];
    market.provider({
      createRecipient: async (account) => {
        if (paidTo.push(account.accountNumber) === 1) market.pass(2 * 60_000);
        return market.paystack.createRecipient(account);
      },
    });
    await market.sweep();
    await setAccount(market, '9876543210', '057');
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect(paidTo).toEqual(['0123456789', '9876543210']);
    expect((await shareOf(id))?.payoutId).toBe(`${id}_0_1`);
  });

  it('is not paid out by a signed notice that the provider does not bear out', async () => {
    const id = await released(true);
    await market.sweep();
    const payoutId = (await shareOf(id))?.payoutId ?? '';
    const notice = (event: string, amount = 1_000_000) => ({
      event,
      data: { reference: payoutId, transfer_code: 'T', status: event.slice(9), amount },
    });
    const says = (told: object) =>
      market.provider({
        verifyTransfer: async (reference) => ({
          ok: true,
          value: { reference, amount: 1_000_000, status: 'success', ...told },
        }),
      });
    const asked = async () => (await shareOf(id))?.status;

    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'not-found' }) });
    await market.webhook(notice('transfer.failed'));
    await market.sweep();
    expect([await asked(), await waitingNow()]).toEqual(['payout-requested', 0]);

    // Sweeps have asked after the transfer a moment ago, and ask again only after a pause.
    says({ amount: 999_999 });
    await market.webhook(notice('transfer.reversed'));
    market.pass(10 * 60_000);
    await market.sweep();
    expect(await asked()).toBe('payout-requested');
    says({ reference: 'another-transfer' });
    await market.webhook(notice('transfer.success', 1));
    market.pass(10 * 60_000);
    await market.sweep();
    expect([await asked(), await waitingNow()]).toEqual(['payout-requested', 0]);
  });

  it.each([{ amount: 999_999 }, { reference: 'another-transfer' }])(
    'is not taken for paid by an operator whom the provider tells of a transfer with %o',
    async (told) => {
      const id = await released(true);
      await market.sweep();
      market.provider({
        verifyTransfer: async (reference) => ({
          ok: true,
          value: { reference, amount: 1_000_000, status: 'success', ...told },
        }),
      });
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
        ok: false,
        refusal: { code: 'under_way' },
      });
      expect((await shareOf(id))?.status).toBe('payout-requested');
    },
  );

  it.each([
    ['failed', 'failed', 'released', 0],
    ['reversed', 'reversed', 'released', 0],
    ['success', 'success', 'paid-out', 0],
    // The provider says otherwise than the notice, which may be ahead of it: it is looked at again, for a day.
    ['failed', 'success', 'paid-out', 1],
    ['success', 'pending', 'payout-requested', 1],
  ] as const)(
    'is done with a notice of %s once the provider bears it out (it says %s: %s, %i waiting)',
    async (notified, status, share, waiting) => {
      const id = await released(true);
      await market.sweep();
      const reference = (await shareOf(id))?.payoutId ?? '';
      market.provider({
        verifyTransfer: async () => ({ ok: true, value: { reference, amount: 1_000_000, status } }),
      });
      await market.webhook({
        event: `transfer.${notified}`,
        data: { reference, transfer_code: 'T', status: notified, amount: 1_000_000 },
      });
      await market.sweep();
      expect([(await shareOf(id))?.status, await waitingNow()]).toEqual([share, waiting]);
      market.pass(24 * HOUR);
      await market.sweep();
      expect(await waitingNow()).toBe(0);
    },
  );

  it('is done with a notice of what a sweep has found out before', async () => {
    const id = await released(true);
    await market.sweep();
    market.pass(10 * MINUTE_MS);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('paid-out');
    expect(await market.sandbox.deliverDue()).toBe(2);
    expect(await waitingNow()).toBe(2);
    await market.sweep();
    expect(await waitingNow()).toBe(0);
  });

  it('waits for a provider that is away, and believes its word before the notice’s', async () => {
    const id = await released(true);
    await market.sweep();
    const reference = (await shareOf(id))?.payoutId ?? '';
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.webhook({
      event: 'transfer.failed',
      data: { reference, transfer_code: 'T', status: 'failed', amount: 1_000_000 },
    });
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('payout-requested');
    market.provider({});
    market.pass(60_000);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('paid-out');
  });

  it.each([{ amount: 999_999 }, { reference: 'another-transfer' }])(
    'that has arrived is not made again when days later the provider tells of one with %o that came back',
    async (told) => {
      const id = await released(true);
      await market.sweep();
      market.pass(60_000);
      await market.sandbox.deliverDue();
      await market.sweep();
      let asked = 0;
      market.provider({
        verifyTransfer: async (reference) => {
          asked += 1;
          const value = { reference, amount: 1_000_000, status: 'reversed', ...told };
          return { ok: true, value };
        },
      });
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      await market.sweep();
      expect(asked).toBe(1);
      market.pass(24 * HOUR);
      await market.sweep();
      expect(asked).toBe(2);
      expect((await market.story(id)).at(-1)).toBe('PayoutCompleted');
    },
  );

  it('is payable again under another reference when the transfer comes back', async () => {
    const id = await released(true);
    await market.control({ fault: 'reverse-transfer' });
    await market.sweep();
    market.pass(60_000);
    await market.sandbox.deliverDue();
    await market.sweep();
    for (let look = 0; look < 2; look += 1) {
      market.pass(HOUR);
      await market.sweep();
    }
    market.pass(60_000);
    await market.sandbox.deliverDue();
    await market.sweep();
    const story = await market.story(id);
    expect(story.filter((type) => type === 'PayoutFailed')).toHaveLength(1);
    expect(story.at(-1)).toBe('PayoutCompleted');
    expect((await shareOf(id))?.payoutId).toBe(`${id}_0_1`);
  });
});
