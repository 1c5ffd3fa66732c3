import { createMemoryState, createMemoryStateData, readWebhook, type State } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { webhookSender } from '../src/paystack-sandbox/webhooks.js';
import { answered } from './payments.js';
import {
  paid,
  type SandboxUnderTest,
  started,
  startSandbox,
  transferred,
  typesOf,
} from './sandbox.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let under: SandboxUnderTest;
beforeEach(async () => {
  under = await startSandbox();
});
afterEach(() => under.close());

describe('webhooks', () => {
  test('are signed, and say what was paid', async () => {
    await paid(under);
    await under.pass(0);
    const [webhook] = under.received;
    if (webhook === undefined) throw new Error('no webhook came');
    expect(under.payments.isSignedByProvider(webhook.body, webhook.signature)).toBe(true);
    expect(webhook.notice).toMatchObject({ type: 'charge.success', amount: 5_750_000 });
  });

  test('are not sent for a decline', async () => {
    await under.press(await started(under), 'decline');
    await under.pass(HOUR);
    expect(under.received).toEqual([]);
  });

  test('that are not answered 200 come again after 3 minutes four times, then hourly for 72 hours', async () => {
    under.accepts = false;
    const since = under.now();
    await paid(under);
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
    await paid(under);
    await under.pass(0);
    under.accepts = true;
    await under.pass(3 * MINUTE);
    await under.pass(100 * HOUR);
    expect(under.received).toHaveLength(2);
  });

  test('survive the death of the process', async () => {
    await paid(under);
    const { state } = under;
    await under.close();
    under = await startSandbox(state);
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success']);
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
    await paid(under);
    await arrived;
    expect(typesOf(under)).toEqual(['charge.success']);
  });

  test('go on by themselves after an error of the engine', async () => {
    await under.close();
    const state = createMemoryState(createMemoryStateData());
    let fails = false;
    const list: State['list'] = async (...asked) => {
      if (fails) throw new Error('away for a moment');
      return state.list(...asked);
    };
    const arrived = new Promise<void>((resolve) => {
      const report = () => {
        fails = false;
      };
      const send = async () => {
        resolve();
        return true;
      };
      const starting = startSandbox({ ...state, list }, { send, report });
      void starting.then(async (started) => {
        under = started;
        await paid(under);
        fails = true;
        under.sandbox.start();
      });
    });
    await arrived;
  });

  test('end with the one that is being sent', async () => {
    await under.close();
    let stopped: Promise<void> | null = null;
    let sent = 0;
    under = await startSandbox(undefined, {
      send: async () => {
        sent += 1;
        stopped = under.sandbox.stop();
        return true;
      },
    });
    await paid(under, 'order-1');
    await paid(under, 'order-2');
    under.sandbox.start();
    await vi.waitUntil(() => stopped !== null);
    await stopped;
    expect(sent).toBe(1);
  });

  test('to an address that does not answer are not delivered', async () => {
    const send = webhookSender('http://127.0.0.1:9/', 500);
    expect(await send({ body: Buffer.from('{}'), signature: '' })).toBe(false);
  });

  test('of a refund and of a transfer come once these have settled', async () => {
    const id = await paid(under);
    await under.pass(0);
    answered(await under.payments.refund({ transaction: id, amount: 1_000, note: '' }));
    await transferred(under);
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success']);
    await under.pass(2_000);
    expect(typesOf(under)).toEqual(['charge.success', 'refund.processed', 'transfer.success']);
    expect(under.received[1]?.notice).toMatchObject({ reference: 'order-1', amount: 1_000 });
    expect(under.received[2]?.notice).toMatchObject({ reference: 'payout-0000000001' });
  });
});

describe('sent again', () => {
  const bodies = () => under.received.map(({ body }) => body.toString());

  test('by the button of a page that is paid, to the letter, and says so', async () => {
    const page = await started(under);
    await under.press(page, 'pay');
    await under.pass(0);
    const html = await (await fetch(page)).text();
    expect([...html.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label)).toEqual([
      'Send the webhook again',
    ]);
    const pressed = await under.press(page, 'resend');
    expect(pressed.status).toBe(303);
    const back = new URL(pressed.headers.get('location') ?? '');
    expect(await (await fetch(back)).text()).toContain('The webhook was sent again.');
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success', 'charge.success']);
    const [first, again] = under.received;
    expect(again?.body).toEqual(first?.body);
    expect(again?.signature).toBe(first?.signature);
  });

  test('never of a payment that was not made', async () => {
    const page = await started(under);
    await under.press(page, 'decline');
    await under.press(page, 'resend');
    await under.control({ fault: 'late-success', delayMs: HOUR });
    await under.press(page, 'pay');
    await under.press(page, 'resend');
    await under.pass(HOUR - 1);
    expect(under.received).toEqual([]);
    expect(await (await fetch(page)).text()).not.toContain('<button');
  });

  test('to order, as often as is asked, with all that was told of a payment or a transfer', async () => {
    const id = await paid(under);
    answered(await under.payments.refund({ transaction: id, amount: 1_000, note: '' }));
    await under.control({ fault: 'reverse-transfer' });
    await transferred(under);
    await under.pass(2_000);
    const told = bodies();
    expect(told).toHaveLength(4);
    const ofPayment = await under.control({ resend: 'order-1', copies: 2 });
    expect(await ofPayment.json()).toMatchObject({
      status: true,
      data: { events: ['charge.success', 'refund.processed'] },
    });
    await under.control({ resend: 'payout-0000000001' });
    await under.pass(0);
    const about = (name: string) => told.filter((body) => body.includes(name));
    const ofOrder = about('order-1');
    expect(bodies().slice(4)).toEqual([...ofOrder, ...ofOrder, ...about('payout-0000000001')]);
  });

  test('only where there was something to tell', async () => {
    await started(under);
    expect((await under.control({ resend: 'order-1' })).status).toBe(400);
    expect((await under.control({ resend: 'nobody' })).status).toBe(404);
  });
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

  test('a dispute that is lost, and then won, is two notices', () => {
    const key = (resolution: string) => {
      const data = { id: 1, resolution, transaction: { reference: 'r' } };
      return readWebhook(Buffer.from(JSON.stringify({ event: 'charge.dispute.resolve', data })))
        .key;
    };
    expect(key('merchant-accepted')).not.toBe(key('declined'));
    expect(key('declined')).toBe(key('declined'));
  });
});
