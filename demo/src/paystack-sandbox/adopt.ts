import type { Clock, State } from '@oja/platform';
import { transactionFees } from './bodies.js';
import { createStore, newCode } from './store.js';

/** A payment that the sandbox takes as already made. */
interface AdoptedPayment {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly paidAt: number;
  /** Address that the payer would have returned to. */
  readonly callbackUrl: string;
}

interface Adopted {
  /** The payment's id at the provider, as a verification reports it. */
  readonly providerId: string;
  /** The provider's fee, in kobo. */
  readonly fees: number;
}

/** The first twelve hexadecimal digits of a reference as a number: whole numbers below 2^48. */
const idOf = (reference: string): number =>
  Number.parseInt(reference.replaceAll('-', '').slice(0, 12), 16);

/**
 * Records a payment that nobody made in the sandbox, so that a sample order can be verified and
 * refunded like any other. No webhook is sent. The id is derived from the reference, which must be
 * a UUID: adopting it again changes nothing.
 */
export async function adoptPayment(
  state: State,
  clock: Clock,
  { reference, amount, paidAt, callbackUrl }: AdoptedPayment,
): Promise<Adopted> {
  const id = idOf(reference);
  await createStore(state, clock).addTransaction({
    id,
    reference,
    accessCode: newCode(''),
    amount,
    callbackUrl,
    createdAt: paidAt,
    outcome: 'success',
    settlesAt: paidAt,
    refunds: [],
  });
  return { providerId: String(id), fees: transactionFees(amount) };
}
