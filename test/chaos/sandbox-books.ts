import { transactionOfReference } from '@oja/domain/rules';
import { eachEntry } from '@oja/platform';
import { z } from 'zod';
import type { Engines } from './engines.js';

/** The sandbox's own records of money: what the provider says it did. */
const payment = z.object({
  id: z.number(),
  reference: z.string(),
  amount: z.number(),
  outcome: z.string(),
  settlesAt: z.number(),
  refunds: z.array(z.object({ amount: z.number(), outcome: z.string(), settlesAt: z.number() })),
});
const transfer = z.object({ reference: z.string(), amount: z.number(), outcome: z.string() });

export interface Captured {
  /** The provider's id, as a verification returns it. */
  readonly providerId: string;
  readonly reference: string;
  /** Null for a payment that is not ours. */
  readonly transactionId: string | null;
  /** Kobo. */
  readonly amount: number;
  readonly givenBack: number;
}

export interface ProviderBooks {
  readonly captured: readonly Captured[];
  /** Transfers that arrived and did not come back: reference (`<order>_<share>_<try>`) and kobo. */
  readonly paidOut: readonly { readonly reference: string; readonly amount: number }[];
}

const SPACE = 'payment-sandbox';

export async function providerBooks({ state }: Engines, now: number): Promise<ProviderBooks> {
  const captured: Captured[] = [];
  for await (const { value } of eachEntry(state, SPACE, 'transaction:', now)) {
    const { id, reference, amount, outcome, settlesAt, refunds } = payment.parse(value);
    if (outcome !== 'success' || settlesAt > now) continue;
    const back = refunds.filter((one) => one.outcome === 'processed' && one.settlesAt <= now);
    captured.push({
      providerId: String(id),
      reference,
      transactionId: transactionOfReference(reference),
      amount,
      givenBack: back.reduce((sum, one) => sum + one.amount, 0),
    });
  }
  const paidOut: { reference: string; amount: number }[] = [];
  for await (const { value } of eachEntry(state, SPACE, 'transfer:', now)) {
    const { reference, amount, outcome } = transfer.parse(value);
    if (outcome === 'success') paidOut.push({ reference, amount });
  }
  return { captured, paidOut };
}
