import {
  keySubject,
  type PlacedOrder,
  streamNames,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { type Loaded, loadFrom, type Position } from '@oja/platform';
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
  /** For the command that follows: it need not read the stream again. */
  readonly known: Loaded<TransactionState>;
}

/** Null when there is no such order. */
export async function loadOrder(
  { eventStore }: Pick<Deps, 'eventStore'>,
  transactionId: string,
): Promise<Order | null> {
  const known = await loadFrom(eventStore, transaction, transactionId);
  const { state, position } = known;
  return state.status === 'none' || position === null ? null : { state, position, known };
}
