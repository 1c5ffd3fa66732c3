import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readWebhook } from '../src/payments/paystack/webhook.js';
import { SPACE } from '../src/payments/sandbox/store.js';
import { webhookSender } from '../src/payments/sandbox/webhook-sender.js';
import { answered, aPayment } from './contracts/payments.js';
import { memoryState } from './memoryState.js';
import { type SandboxUnderTest, startSandbox } from './sandbox.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let under: SandboxUnderTest;
beforeEach(async () => {
  under = await startSandbox();
});
afterEach(() => under.close());

async function started(reference = 'order-1') {
  const payment = aPayment({ reference });
  return answered(await under.payments.initialize(payment)).authorizationUrl;
}

async function paid(reference = 'order-1') {
  await under.press(await started(reference), 'pay');
  return answered(await under.payments.verify(reference)).id;
}

const types = () => under.received.map(({ notice }) => notice.type);

describe('the checkout page', () => {
  test('is plain HTML that shows the amount of its record, the test card and three buttons', async () => {
    const response = await fetch(await started());
    const html = await response.text();
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('Test payment page');
    expect(html).toContain('4084 0840 8408 4081');
    expect(html).toContain('<dd>408</dd>');
    expect([...html.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label)).toEqual([
      'Pay ₦57,500',
      'Decline',
      'Cancel',
    ]);
    expect(html).not.toMatch(/<script|ngozi|style="/i);
  });

  test.each(['pay', 'decline', 'cancel'] as const)(
    '%s leads back to the market with the reference twice',
    async (button) => {
      const response = await under.press(await started(), button);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(
        'http://localhost:8080/payment/verify?trxref=order-1&reference=order-1',
      );
    },
  );

  test('pressing Pay twenty times at once pays once and tells once', async () => {
    const url = await started();
    const presses = Array.from({ length: 20 }, () => under.press(url, 'pay'));
    for (const response of await Promise.all(presses)) expect(response.status).toBe(303);
    await under.pass(0);
    expect(types()).toEqual(['charge.success']);
    expect(await (await fetch(url)).text()).not.toContain('<button');
  });

  test('Decline after Pay changes nothing', async () => {
    const url = await started();
    await under.press(url, 'pay');
    await under.press(url, 'decline');
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
  });

  test('Cancel leaves the payment open', async () => {
    await under.press(await started(), 'cancel');
    expect(answered(await under.payments.verify('order-1')).status).toBe('abandoned');
  });

  test('a guessed access code finds nothing', async () => {
    const response = await fetch(`${under.url}/checkout/${'0'.repeat(20)}`);
    expect(response.status).toBe(404);
    expect((await under.press(`${under.url}/checkout/order-1`, 'pay')).status).toBe(401);
  });
});

describe('webhooks', () => {
  test('are signed, and say what was paid', async () => {
    await paid();
    await under.pass(0);
    const [webhook] = under.received;
    if (webhook === undefined) throw new Error('no webhook came');
    expect(under.payments.isSignedByProvider(webhook.body, webhook.signature)).toBe(true);
    expect(webhook.notice).toMatchObject({ type: 'charge.success', amount: 5_750_000 });
  });

  test('are not sent for a decline', async () => {
    await under.press(await started(), 'decline');
    await under.pass(HOUR);
    expect(under.received).toEqual([]);
  });

  test('that are not answered 200 come again after 3 minutes four times, then hourly for 72 hours', async () => {
    under.accepts = false;
    const since = under.now();
    await paid();
    const minutes: number[] = [];
    for (let minute = 0; minute <= 80 * 60; minute += 3) {
      const before = under.received.length;
      await under.pass(minute === 0 ? 0 : 3 * MINUTE);
      if (under.received.length > before) minutes.push((under.now() - since) / MINUTE);
    }
    expect(minutes.slice(0, 7)).toEqual([0, 3, 6, 9, 12, 72, 132]);
    expect(minutes.at(-1)).toBeLessThanOrEqual(72 * 60);
    expect(minutes).toHaveLength(5 + 71);
    expect(new Set(under.received.map(({ notice }) => notice.key)).size).toBe(1);
  });

  test('stop once they are taken', async () => {
    under.accepts = false;
    await paid();
    await under.pass(0);
    under.accepts = true;
    await under.pass(3 * MINUTE);
    await under.pass(100 * HOUR);
    expect(under.received).toHaveLength(2);
  });

  test('survive the death of the process', async () => {
    await paid();
    const { state } = under;
    await under.close();
    under = await startSandbox(state);
    await under.pass(0);
    expect(types()).toEqual(['charge.success']);
  });

  test('go by themselves once started', async () => {
    const arrived = new Promise<void>((resolve) => {
      const { received } = under;
      received.push = (...webhooks) => {
        resolve();
        return Array.prototype.push.apply(received, webhooks);
      };
    });
    under.sandbox.start();
    await paid();
    await arrived;
    expect(types()).toEqual(['charge.success']);
  });

  test('to an address that does not answer are not delivered', async () => {
    const send = webhookSender('http://127.0.0.1:9/', 500);
    expect(await send({ body: Buffer.from('{}'), signature: '' })).toBe(false);
  });

  test('of a refund and of a transfer come once these have settled', async () => {
    const id = await paid();
    await under.pass(0);
    answered(await under.payments.refund({ transaction: id, amount: 1_000, note: '' }));
    await transfer();
    await under.pass(0);
    expect(types()).toEqual(['charge.success']);
    await under.pass(2_000);
    expect(types()).toEqual(['charge.success', 'refund.processed', 'transfer.success']);
    expect(under.received[1]?.notice).toMatchObject({ reference: 'order-1', amount: 1_000 });
    expect(under.received[2]?.notice).toMatchObject({ reference: 'payout-0000000001' });
  });
});

async function transfer() {
  const account = { name: 'Ada', accountNumber: '0123456789', bankCode: '058' };
  const { recipientCode } = answered(await under.payments.createRecipient(account));
  const reference = 'payout-0000000001';
  const reason = 'share';
  return answered(await under.payments.transfer({ amount: 500, recipientCode, reference, reason }));
}

describe('told to misbehave', () => {
  test('it sends twice', async () => {
    await under.control({ fault: 'duplicate-webhook' });
    await paid();
    await under.pass(0);
    expect(types()).toEqual(['charge.success', 'charge.success']);
  });

  test('it sends late', async () => {
    await under.control({ fault: 'delay-webhook', delayMs: 2 * HOUR });
    await paid();
    await under.pass(2 * HOUR - 1);
    expect(under.received).toEqual([]);
    await under.pass(1);
    expect(types()).toEqual(['charge.success']);
  });

  test('it lets the next one overtake', async () => {
    await under.control({ fault: 'reorder-webhook', reference: 'order-1' });
    await paid('order-1');
    await under.pass(0);
    await paid('order-2');
    await under.pass(0);
    expect(under.received.map(({ notice }) => notice.key)).toEqual([
      'charge.success:order-2:success',
      'charge.success:order-1:success',
    ]);
  });

  test('it drops one, and verify still knows', async () => {
    await under.control({ fault: 'drop-webhook' });
    await paid();
    await under.pass(100 * HOUR);
    expect(under.received).toEqual([]);
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
  });

  test('it succeeds late', async () => {
    await under.control({ fault: 'late-success', delayMs: 71 * HOUR });
    await paid();
    expect(answered(await under.payments.verify('order-1')).status).toBe('pending');
    await under.pass(71 * HOUR - 1);
    expect(under.received).toEqual([]);
    await under.pass(1);
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
    expect(types()).toEqual(['charge.success']);
  });

  test('it fails a refund, and the money can be given back again', async () => {
    const id = await paid();
    await under.control({ fault: 'fail-refund', reference: 'order-1' });
    const whole = { transaction: id, amount: 5_750_000, note: '' };
    answered(await under.payments.refund(whole));
    await under.pass(2_000);
    expect(types()).toEqual(['charge.success', 'refund.failed']);
    answered(await under.payments.refund(whole));
  });

  test('it fails a transfer', async () => {
    await under.control({ fault: 'fail-transfer' });
    await transfer();
    await under.pass(2_000);
    expect(types()).toEqual(['transfer.failed']);
  });

  test('it takes a transfer back', async () => {
    await under.control({ fault: 'reverse-transfer' });
    await transfer();
    await under.pass(2_000);
    expect(types()).toEqual(['transfer.success', 'transfer.reversed']);
  });

  test('it raises a dispute', async () => {
    await paid();
    await under.control({ raise: 'dispute', reference: 'order-1' });
    await under.pass(0);
    expect(types()).toEqual(['charge.success', 'charge.dispute.create']);
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

test('nothing personal is kept', async () => {
  const state = memoryState();
  await under.close();
  under = await startSandbox(state);
  const payment = aPayment({ reference: 'order-1', metadata: { phone: '08031234567' } });
  const { authorizationUrl } = answered(await under.payments.initialize(payment));
  await under.press(authorizationUrl, 'pay');
  await transfer();
  const kept = JSON.stringify(await state.list(SPACE, '', under.now()));
  expect(kept).toContain('order-1');
  expect(kept).not.toMatch(/ngozi|example\.com|08031234567|0123456789|Ada/);
});

describe('a webhook that nobody expected', () => {
  test.each([
    ['no JSON', 'hello', 'unreadable'],
    ['no object', '7', 'unreadable'],
    ['no event', '{"data":{}}', 'unreadable'],
    ['a known event without its facts', '{"event":"charge.success","data":{}}', 'unreadable'],
    ['an event of another day', '{"event":"invoice.create","data":null}', 'other'],
  ])('%s is read without harm', (_, body, type) => {
    const notice = readWebhook(Buffer.from(body));
    expect(notice.type).toBe(type);
    expect(readWebhook(Buffer.from(body)).key).toBe(notice.key);
  });

  test('two refunds of one payment are two notices', () => {
    const key = (id: number) => {
      const data = { id, transaction_reference: 'r', status: 'processed', amount: '100' };
      return readWebhook(Buffer.from(JSON.stringify({ event: 'refund.processed', data }))).key;
    };
    expect(key(1)).not.toBe(key(2));
  });
});
