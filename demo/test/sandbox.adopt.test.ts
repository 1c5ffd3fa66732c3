import { afterEach, beforeEach, expect, test } from 'vitest';
import { adoptPayment } from '../src/paystack-sandbox/sandbox.js';
import { answered } from './payments.js';
import { type SandboxUnderTest, startSandbox, typesOf } from './sandbox.js';

let under: SandboxUnderTest;
beforeEach(async () => {
  under = await startSandbox();
});
afterEach(() => under.close());

const reference = '3b241101-e2bb-4255-8caf-4136c566a962';
const adopt = () =>
  adoptPayment(under.state, under, {
    reference,
    amount: 1_150_000,
    paidAt: under.now() - 60_000,
    callbackUrl: 'http://localhost:8080/payment/verify',
  });

test('a payment that was made elsewhere is verified as what was told of it, and no webhook comes', async () => {
  const { providerId, fees } = await adopt();
  const verified = answered(await under.payments.verify(reference));
  expect(verified).toMatchObject({ id: providerId, status: 'success', amount: 1_150_000, fees });
  await under.pass(60_000);
  expect(typesOf(under)).toEqual([]);
});

test('it is refunded by its id like any other, once, although it was adopted twice', async () => {
  const { providerId } = await adopt();
  const request = { transaction: providerId, amount: 1_150_000, note: 'a sample' };
  answered(await under.payments.refund(request));
  expect(await adopt()).toMatchObject({ providerId });
  await under.pass(60_000);
  expect(answered(await under.payments.refunds(providerId))).toMatchObject([
    { amount: 1_150_000, status: 'processed' },
  ]);
  expect((await under.payments.refund(request)).ok).toBe(false);
  expect(typesOf(under)).toEqual(['refund.processed']);
});
