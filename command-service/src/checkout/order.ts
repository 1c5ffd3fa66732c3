import {
  keySubject,
  type PlacedOrder,
  streamNames,
  type TransactionState,
  transaction,
} from '@oja/domain';
import type { Position } from '@oja/platform';
import { derivedId } from '../commands.js';
import type { Deps } from '../deps.js';

/** The key of an order's buyer. */
export const buyerSubject = (transactionId: string): string =>
  keySubject('transaction', transactionId);

/** The stream that an order's sealed values are bound to. */
export const orderStream = (transactionId: string): string =>
  streamNames.transaction(transactionId);

/** The order that a command places: the same for each repetition of it. */
export const transactionIdOf = (commandId: string): string => derivedId(commandId, 'transaction');

/** An order as its stream tells it, and where the stream ends. */
export interface Order {
  readonly state: PlacedOrder;
  readonly position: Position;
}

/** Null when there is no such order. */
export async function loadOrder(
  { eventStore }: Pick<Deps, 'eventStore'>,
  transactionId: string,
): Promise<Order | null> {
  let state: TransactionState = transaction.initial;
  let position: Position | null = null;
  for await (const recorded of eventStore.readStream(orderStream(transactionId))) {
    const event = transaction.parse(recorded.type, recorded.data);
    if (event !== null) state = transaction.evolve(state, event);
    position = recorded.position;
  }
  return state.status === 'none' || position === null ? null : { state, position };
}
