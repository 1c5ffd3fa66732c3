import type { InitializePayment, PaymentAnswer, Payments } from '@oja/platform';
import { describe, expect, test } from 'vitest';

/** A provider under test: the port, and a shopper who goes to the checkout page. */
export interface Provider {
  readonly payments: Payments;
  pay(authorizationUrl: string): Promise<void>;
  decline(authorizationUrl: string): Promise<void>;
  /** Until refunds and transfers are no longer pending. */
  settle(): Promise<void>;
  sign(rawBody: Buffer): string;
}

let count = 0;
export const aPayment = (over: Partial<InitializePayment> = {}): InitializePayment => ({
  email: 'ngozi.contract@example.com',
  amount: 5_750_000,
  currency: 'NGN',
  reference: `order-${process.pid}-${++count}.a=b`,
  callbackUrl: 'http://localhost:8080/payment/verify',
  metadata: { order: 'order-1' },
  ...over,
});

export function answered<T>(answer: PaymentAnswer<T>): T {
  if (!answer.ok) throw new Error(`expected an answer, got ${JSON.stringify(answer)}`);
  return answer.value;
}

/** What every provider behind the port does. */
export function paymentsContract(name: string, provider: () => Provider): void {
  const payments = () => provider().payments;

  async function paid(over: Partial<InitializePayment> = {}) {
    const payment = aPayment(over);
    const { authorizationUrl } = answered(await payments().initialize(payment));
    await provider().pay(authorizationUrl);
    return answered(await payments().verify(payment.reference));
  }

  describe(`payments over ${name}`, () => {
    test('a started payment has an address, and its envelope goes on as it came', async () => {
      const payment = aPayment();
      const started = answered(await payments().initialize(payment));
      expect(started.reference).toBe(payment.reference);
      expect(started.envelope).toMatchObject({
        status: true,
        data: {
          authorization_url: started.authorizationUrl,
          access_code: started.accessCode,
          reference: payment.reference,
        },
      });
      const verified = answered(await payments().verify(payment.reference));
      expect(verified.status).toBe('abandoned');
      expect(verified.paidAt).toBeNull();
    });

    test('a paid one is a success of the amount asked for', async () => {
      const verified = await paid();
      expect(verified).toMatchObject({
        status: 'success',
        amount: 5_750_000,
        requestedAmount: 5_750_000,
        currency: 'NGN',
      });
      expect(verified.paidAt).not.toBeNull();
      expect(verified.fees).toBeGreaterThan(0);
    });

    test('ids are text although they are larger than 32 bits', async () => {
      const { id } = await paid();
      expect(id).toMatch(/^\d+$/);
      expect(BigInt(id)).toBeGreaterThan(2n ** 32n);
    });

    test('a reference is used once', async () => {
      const payment = aPayment();
      answered(await payments().initialize(payment));
      const second = await payments().initialize(payment);
      expect(second).toEqual({ ok: false, reason: 'duplicate-reference' });
    });

    test('a declined payment can still be paid', async () => {
      const payment = aPayment();
      const { authorizationUrl } = answered(await payments().initialize(payment));
      await provider().decline(authorizationUrl);
      expect(answered(await payments().verify(payment.reference)).status).toBe('failed');
      await provider().pay(authorizationUrl);
      expect(answered(await payments().verify(payment.reference)).status).toBe('success');
    });

    test('an unknown reference is not found', async () => {
      const answer = await payments().verify('nobody-used-this');
      expect(answer).toEqual({ ok: false, reason: 'not-found' });
    });

    test.each([
      ['an address that is none', { email: 'not an address' }],
      ['nothing to pay', { amount: 0 }],
      ['half a kobo', { amount: 10.5 }],
      ['a reference with a slash', { reference: 'a/b' }],
    ])('%s is refused with a reason', async (_, wrong) => {
      const answer = await payments().initialize(aPayment(wrong));
      expect(answer).toMatchObject({ ok: false, reason: 'refused', message: /\w/ });
    });

    test('a payment is refunded in parts, and never more than it was', async () => {
      const { id, reference } = await paid({ amount: 300_000 });
      const part = answered(
        await payments().refund({ transaction: id, amount: 100_000, note: 'one seller' }),
      );
      expect(part.status).toBe('pending');
      // The provider calls the payment no success while a part of it goes back.
      expect(answered(await payments().verify(reference)).status).toBe('pending');
      const tooMuch = await payments().refund({ transaction: id, amount: 200_001, note: 'x' });
      expect(tooMuch).toMatchObject({ ok: false, reason: 'refused' });
      answered(await payments().refund({ transaction: reference, amount: 200_000, note: 'rest' }));
      await provider().settle();
      const refunds = answered(await payments().refunds(id));
      expect(refunds.map(({ amount, status }) => ({ amount, status }))).toEqual([
        { amount: 100_000, status: 'processed' },
        { amount: 200_000, status: 'processed' },
      ]);
      expect(refunds[0]?.id).toBe(part.id);
      // They are listed by the provider's own id of the payment, and by nothing else.
      expect(answered(await payments().refunds(reference))).toEqual([]);
      expect(answered(await payments().verify(reference)).status).toBe('reversed');
    });

    test('what was not paid cannot be refunded', async () => {
      const payment = aPayment();
      answered(await payments().initialize(payment));
      const { reference: transaction } = payment;
      const answer = await payments().refund({ transaction, amount: 100, note: '' });
      expect(answer).toMatchObject({ ok: false, reason: 'refused' });
    });

    test('ten refunds of the whole at once give it back once', async () => {
      const { id } = await paid({ amount: 100_000 });
      const asked = { transaction: id, amount: 100_000, note: 'at once' };
      const answers = await Promise.all(Array.from({ length: 10 }, () => payments().refund(asked)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    });

    test('a transfer pays once for its reference, and a second use is refused', async () => {
      const account = { name: 'Ada Stores', accountNumber: '0123456789', bankCode: '058' };
      const { recipientCode } = answered(await payments().createRecipient(account));
      const request = {
        amount: 450_000,
        recipientCode,
        reference: `payout-${process.pid}-0000000001`,
        reason: 'share',
      };
      answered(await payments().transfer(request));
      for (const again of [request, { ...request, amount: 1 }])
        expect(await payments().transfer(again)).toEqual({
          ok: false,
          reason: 'duplicate-reference',
        });

      const { reference, amount } = request;
      const verify = async () => answered(await payments().verifyTransfer(reference));
      expect(await verify()).toEqual({ reference, amount, status: 'pending' });
      await provider().settle();
      expect(await verify()).toEqual({ reference, amount, status: 'success' });
    });

    test('a transfer that was never asked for is not found', async () => {
      const answer = await payments().verifyTransfer('payout-nobody-asked-1');
      expect(answer).toEqual({ ok: false, reason: 'not-found' });
    });

    test('a transfer to nobody is refused', async () => {
      const answer = await payments().transfer({
        amount: 1,
        recipientCode: 'RCP_nobody',
        reference: 'payout-to-nobody-1',
        reason: '',
      });
      expect(answer).toMatchObject({ ok: false, reason: 'refused' });
    });

    test('only the signature of this very body under our key is the provider’s', () => {
      const body = Buffer.from('{"event":"charge.success","data":{"note":"ọjà \\u0000"}}');
      const signature = provider().sign(body);
      const isSigned = (text: string | undefined, of = body) =>
        payments().isSignedByProvider(of, text);
      expect(isSigned(signature)).toBe(true);
      expect(isSigned(signature, Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
      expect(isSigned(undefined)).toBe(false);
      expect(isSigned('')).toBe(false);
      expect(isSigned(signature.slice(1))).toBe(false);
      expect(isSigned(`${signature}00`)).toBe(false);
      expect(isSigned(signature.toUpperCase())).toBe(false);
      expect(isSigned('é'.repeat(64))).toBe(false);
      expect(isSigned(`${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`)).toBe(
        false,
      );
    });
  });
}
