import type { Clock, State } from '@oja/platform';
import { transactionFees } from './bodies.js';
import { createStore, newCode } from './store.js';

/** A payment that is told to have been made. */
interface AdoptedPayment {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly paidAt: number;
  /** Where the payer would have been sent back to. */
  readonly callbackUrl: string;
}

interface Adopted {
  /** The payment's id at the provider, as a verification tells it. */
  readonly providerId: string;
  /** What the provider took of it, in kobo. */
  readonly fees: number;
}

/** Twelve hexadecimal digits of a reference: whole numbers up to 2^48. */
const idOf = (reference: string): number =>
  Number.parseInt(reference.replaceAll('-', '').slice(0, 12), 16);

/**
 * Makes the sandbox know a payment that nobody made there, so that a sample order can be verified and
 * refunded like any other. No webhook tells of it. The id follows from the reference, which must be a
 * UUID: adopting it again changes nothing.
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
