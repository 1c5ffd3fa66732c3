import { type TransactionEvent, transaction } from '@oja/domain';
import type { Engines } from './engines.js';

/** The money of one order according to the log. */
export interface LoggedOrder {
  readonly transactionId: string;
  readonly sellerIds: readonly string[];
  /** Kobo. */
  readonly amount: number;
  /** The provider's ids, one entry for each time it was recorded. */
  readonly verified: string[];
  readonly aside: string[];
  reversed: boolean;
}

/** How often each type of event occurs in order streams. */
export async function eventCounts({ log }: Engines): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { stream, type } of log.readAll({ after: null }))
    if (stream.startsWith('transaction-')) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Every order of the log, by id. */
export async function logBooks({ log }: Engines): Promise<ReadonlyMap<string, LoggedOrder>> {
  const orders = new Map<string, LoggedOrder>();
  for await (const { stream, type, data } of log.readAll({ after: null })) {
    if (!stream.startsWith('transaction-')) continue;
    const event = transaction.parse(type, data);
    if (event !== null) note(orders, event);
  }
  return orders;
}

function note(orders: Map<string, LoggedOrder>, event: TransactionEvent): void {
  const { transactionId } = event.data;
  if (event.type === 'OrderPlaced') {
    const sellerIds = event.data.shares.map(({ sellerId }) => sellerId);
    const { amount } = event.data;
    const nothing = { verified: [], aside: [], reversed: false };
    orders.set(transactionId, { transactionId, sellerIds, amount, ...nothing });
  }
  const order = orders.get(transactionId);
  if (order === undefined) throw new Error(`${event.type} before ${transactionId} was placed`);
  if (event.type === 'PaymentVerified') order.verified.push(event.data.providerId);
  if (event.type === 'PaymentMismatched') order.aside.push(event.data.providerId);
  if (event.type === 'PaymentReversed') order.reversed = true;
}
