import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answered } from './payments.js';
import { paid, type SandboxUnderTest, startSandbox, transferred, typesOf } from './sandbox.js';

const HOUR = 60 * 60_000;

let under: SandboxUnderTest;
beforeEach(async () => {
  under = await startSandbox();
});
afterEach(() => under.close());

describe('told to misbehave', () => {
  test('it sends twice', async () => {
    await under.control({ fault: 'duplicate-webhook' });
    await paid(under);
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success', 'charge.success']);
  });

  test('it sends late', async () => {
    await under.control({ fault: 'delay-webhook', delayMs: 2 * HOUR });
    await paid(under);
    await under.pass(2 * HOUR - 1);
    expect(under.received).toEqual([]);
    await under.pass(1);
    expect(typesOf(under)).toEqual(['charge.success']);
  });

  test('it lets the next one overtake', async () => {
    await under.control({ fault: 'reorder-webhook', reference: 'order-1' });
    await paid(under, 'order-1');
    await under.pass(0);
    await paid(under, 'order-2');
    await under.pass(0);
    expect(under.received.map(({ notice }) => notice.key)).toEqual([
      'charge.success:order-2:success',
      'charge.success:order-1:success',
    ]);
  });

  test('it drops one, and verify still knows', async () => {
    await under.control({ fault: 'drop-webhook' });
    await paid(under);
    await under.pass(100 * HOUR);
    expect(under.received).toEqual([]);
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
  });

  test('it succeeds late', async () => {
    await under.control({ fault: 'late-success', delayMs: 71 * HOUR });
    await paid(under);
    expect(answered(await under.payments.verify('order-1')).status).toBe('pending');
    await under.pass(71 * HOUR - 1);
    expect(under.received).toEqual([]);
    await under.pass(1);
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
    expect(typesOf(under)).toEqual(['charge.success']);
  });

  test('it fails a refund, and the money can be given back again', async () => {
    const id = await paid(under);
    await under.control({ fault: 'fail-refund', reference: 'order-1' });
    const whole = { transaction: id, amount: 5_750_000, note: '' };
    answered(await under.payments.refund(whole));
    await under.pass(2_000);
    expect(typesOf(under)).toEqual(['charge.success', 'refund.failed']);
    answered(await under.payments.refund(whole));
  });

  test('it makes a refund wait for somebody', async () => {
    const id = await paid(under);
    await under.control({ fault: 'stall-refund', reference: 'order-1' });
    answered(await under.payments.refund({ transaction: id, amount: 5_750_000, note: '' }));
    await under.pass(HOUR);
    // Its webhook needs no work: the list of refunds says the same.
    expect(typesOf(under)).toEqual(['charge.success', 'other']);
    expect(answered(await under.payments.refunds(id))).toMatchObject([
      { status: 'needs-attention' },
    ]);
  });

  test('it fails a transfer', async () => {
    await under.control({ fault: 'fail-transfer' });
    await transferred(under);
    await under.pass(2_000);
    expect(typesOf(under)).toEqual(['transfer.failed']);
  });

  test('it takes a transfer back', async () => {
    await under.control({ fault: 'reverse-transfer' });
    await transferred(under);
    await under.pass(2_000);
    expect(typesOf(under)).toEqual(['transfer.success', 'transfer.reversed']);
  });

  test('it raises a dispute', async () => {
    await paid(under);
    await under.control({ raise: 'dispute', reference: 'order-1' });
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success', 'charge.dispute.create']);
  });

  test('it misbehaves as often as it was told, for that reference only', async () => {
    await under.control({ fault: 'rate-limit', reference: 'order-1', times: 2 });
    const reasons: string[] = [];
    for (const reference of ['other', 'order-1', 'order-1', 'order-1']) {
      const answer = await under.payments.verify(reference);
      reasons.push(answer.ok ? 'ok' : answer.reason);
    }
    expect(reasons).toEqual(['not-found', 'rate-limited', 'rate-limited', 'not-found']);
  });

  test('only by someone with the key, in words it knows', async () => {
    const bare = await fetch(`${under.url}/control`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(401);
    const unknown = await under.control({ fault: 'explode' });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('drop-webhook');
  });
});
