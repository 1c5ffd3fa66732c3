import {
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
  currentCorrelation,
  type Handled,
  type Loaded,
} from '@oja/platform';
import { v5 as uuidv5 } from 'uuid';
import { contextOf } from '../commands.js';
import type { Deps } from '../deps.js';

/** Who places, pays and confirms orders, in metadata: buyers have no accounts. */
export const BUYER = 'buyer';

/** The namespace of commands that follow from facts: made once at random, never to be changed. */
const NAMESPACE = '0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f4';

/** The id of a command that no request carries: the same facts ask for it once, whoever notices them. */
export const factId = (...facts: readonly (string | number)[]): string =>
  uuidv5(JSON.stringify(facts), NAMESPACE);

/** Of a command that follows from facts; it belongs to the request or job that noticed them. */
export const following = (commandId: string, actor: string): CommandContext =>
  contextOf({ commandId, correlationId: currentCorrelation() ?? commandId }, actor);

/** The same to an order: whatever is noticed of it later belongs to the story of the request that placed it. */
export const followingOrder = (commandId: string, actor: string): CommandContext => ({
  ...following(commandId, actor),
  joinsStream: true,
});

export type OrderHandled = Handled<TransactionState>;

type Commanding = Pick<Deps, 'handle' | 'readOrders' | 'clock' | 'logger'>;

/** After these some of the goods are for sale again. */
const returning: ReadonlySet<string> = new Set(['PaymentMismatched', 'RefundRequested']);

/**
 * A command to an order, and what follows from it for the goods that are counted; `known`: as it was just read.
 * @throws what `handle` throws.
 */
export async function command(
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
      // It is owed, so a failure here is made good by the sweep.
      await returnGoods(deps, handled.state).catch((error: unknown) =>
        deps.logger.warn({ err: error, order: transactionId }, 'goods are still to be put back'),
      );
  return handled;
}

/**
 * Puts back into the count what payments had taken that go back. Done again it changes nothing; a payment that comes
 * to the market again takes again, and may go back again, so each time is a fact of its own.
 */
export async function returnGoods(
  deps: Pick<Deps, 'handle' | 'clock'>,
  order: PlacedOrder,
  neverPaid: string | null = null,
): Promise<void> {
  const { transactionId } = order;
  for (const { productId, providerId } of returnedGoods(order, neverPaid)) {
    const at = nowOf(deps);
    const fact = factId('ReturnStock', transactionId, providerId, productId, at);
    const what = { type: 'ReturnStock', transactionId, providerId, at } as const;
    const handled = await deps.handle(product, productId, what, following(fact, 'sweep'));
    if (!handled.ok && handled.conflict) throw new Error(`others write to product ${productId}`);
  }
}

export const nowOf = ({ clock }: Pick<Deps, 'clock'>): string =>
  new Date(clock.now()).toISOString();
