import { type TransactionCommand, type TransactionState, transaction } from '@oja/domain';
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

export type OrderHandled = Handled<TransactionState>;

/** A command to an order; `known`: as it was just read. @throws what `handle` throws. */
export async function command(
  { handle, readOrders }: Pick<Deps, 'handle' | 'readOrders'>,
  transactionId: string,
  what: TransactionCommand,
  context: CommandContext,
  known: Loaded<TransactionState> | undefined = readOrders?.get(transactionId),
): Promise<OrderHandled> {
  concernsOrder(transactionId);
  const handled = await handle(transaction, transactionId, what, context, known);
  if (handled.ok) readOrders?.set(transactionId, handled.known);
  else readOrders?.delete(transactionId);
  return handled;
}

export const nowOf = ({ clock }: Pick<Deps, 'clock'>): string =>
  new Date(clock.now()).toISOString();
