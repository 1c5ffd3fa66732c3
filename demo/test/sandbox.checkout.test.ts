import { createMemoryState, createMemoryStateData } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SPACE } from '../src/paystack-sandbox/store.js';
import { answered, aPayment } from './payments.js';
import { type SandboxUnderTest, started, startSandbox, transferred, typesOf } from './sandbox.js';

let under: SandboxUnderTest;
beforeEach(async () => {
  under = await startSandbox();
});
afterEach(() => under.close());

describe('the checkout page', () => {
  test('is plain HTML that shows the amount of its record, the test card and three buttons', async () => {
    const response = await fetch(await started(under));
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
      const response = await under.press(await started(under), button);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(
        'http://localhost:8080/payment/verify?trxref=order-1&reference=order-1',
      );
    },
  );

  test('pressing Pay twenty times at once pays once and tells once', async () => {
    const url = await started(under);
    const presses = Array.from({ length: 20 }, () => under.press(url, 'pay'));
    for (const response of await Promise.all(presses)) expect(response.status).toBe(303);
    await under.pass(0);
    expect(typesOf(under)).toEqual(['charge.success']);
    expect(await (await fetch(url)).text()).not.toContain('Pay ₦');
  });

  test('Decline after Pay changes nothing', async () => {
    const url = await started(under);
    await under.press(url, 'pay');
    await under.press(url, 'decline');
    expect(answered(await under.payments.verify('order-1')).status).toBe('success');
  });

  test('Cancel leaves the payment open', async () => {
    await under.press(await started(under), 'cancel');
    expect(answered(await under.payments.verify('order-1')).status).toBe('abandoned');
  });

  test('a guessed access code finds nothing', async () => {
    const response = await fetch(`${under.url}/checkout/${'0'.repeat(20)}`);
    expect(response.status).toBe(404);
    const cutShort = await fetch(`${under.url}/checkout/order-1`);
    expect([cutShort.status, await cutShort.text()]).toEqual([
      404,
      expect.stringContaining('This payment page does not exist'),
    ]);
    expect((await under.press(`${under.url}/checkout/order-1`, 'pay')).status).toBe(401);
  });
});

test('nothing personal is kept', async () => {
  const state = createMemoryState(createMemoryStateData());
  await under.close();
  under = await startSandbox(state);
  const payment = aPayment({ reference: 'order-1', metadata: { phone: '08031234567' } });
  const { authorizationUrl } = answered(await under.payments.initialize(payment));
  await under.press(authorizationUrl, 'pay');
  await transferred(under);
  const kept = JSON.stringify(await state.list(SPACE, '', under.now()));
  expect(kept).toContain('order-1');
  expect(kept).not.toMatch(/ngozi|example\.com|08031234567|0123456789|Ada/);
});
