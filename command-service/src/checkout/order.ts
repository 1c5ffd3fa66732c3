import {
  keySubject,
  type PlacedOrder,
  product,
  returnedGoods,
  type TransactionCommand,
  type TransactionState,
  transaction,
} from '@oja/domain';
import {
  type CommandContext,
  concernsOrder,
  type Handled,
  type Loaded,
  nowOf,
  type Position,
} from '@oja/platform';
import { derivedId, factCommandId, factContext } from '../commands.js';
import type { Deps } from '../deps.js';

/** The name of the buyer's key. */
export const buyerSubject = (transactionId: string): string =>
  keySubject('transaction', transactionId);

/** The id of the order that a command places; the same for every repetition of the command. */
export const transactionIdOf = (commandId: string): string => derivedId(commandId, 'transaction');

/** An order as read from its stream. */
export interface Order {
  readonly state: PlacedOrder;
  readonly position: Position;
  /** Lets the next command skip reading the stream again. */
  readonly known: Loaded<TransactionState>;
}

/** Loads an order; null when there is no such order. */
export async function loadOrder(
  { load, readOrders }: Pick<Deps, 'load' | 'readOrders'>,
  transactionId: string,
): Promise<Order | null> {
  const known = readOrders?.get(transactionId) ?? (await load(transaction, transactionId));
  readOrders?.set(transactionId, known);
  const { state, position } = known;
  return state.status === 'none' || position === null ? null : { state, position, known };
}

export type OrderHandled = Handled<TransactionState>;

type Commanding = Pick<Deps, 'handle' | 'readOrders' | 'clock' | 'logger'>;

/** After these events some goods return to stock. */
const returning: ReadonlySet<string> = new Set(['PaymentMismatched', 'RefundRequested']);

/**
 * Runs a command on an order, and returns stock where its events require that. `known`: the order
 * as just read.
 * @throws whatever `handle` throws.
 */
export async function runOrderCommand(
  deps: Commanding,
  transactionId: string,
  what: TransactionCommand,
  context: CommandContext,
  known: Loaded<TransactionState> | undefined = deps.readOrders?.get(transactionId),
): Promise<OrderHandled> {
  const { handle, readOrders } = deps;
  concernsOrder(transactionId);
  const handled = await handle(transaction, transactionId, what, context, known);
  if (handled.ok) readOrders?.set(transactionId, handled.known);
  else readOrders?.delete(transactionId);
  if (handled.ok && handled.state.status === 'placed')
    if (handled.events.some(({ type }) => returning.has(type)))
      // The return is an obligation, so after a failure here the sweep does it.
      await returnGoods(deps, handled.state).catch((error: unknown) =>
        deps.logger.warn(
          { err: error, order: transactionId },
          'products of an order could not be put back into stock yet: the sweep tries again',
        ),
      );
  return handled;
}

/**
 * Returns the stock of refunded payments; for `neverPaid` see `returnedGoods`. Repeating it changes nothing. The
 * command id includes the time, because a payment that succeeds again takes stock again and may be refunded again.
 */
export async function returnGoods(
  deps: Pick<Deps, 'handle' | 'clock'>,
  order: PlacedOrder,
  neverPaid: string | null = null,
): Promise<void> {
  const { transactionId } = order;
  for (const { productId, providerId } of returnedGoods(order, neverPaid)) {
    const at = nowOf(deps);
    const fact = factCommandId('ReturnStock', transactionId, providerId, productId, at);
    const what = { type: 'ReturnStock', transactionId, providerId, at } as const;
    const handled = await deps.handle(product, productId, what, factContext(fact, 'sweep'));
    if (!handled.ok && handled.conflict) throw new Error(`others write to product ${productId}`);
  }
}
