import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { businessNameKey, type TransactionState, transaction } from '@oja/domain';
import { orderNumber, transactionOfReference } from '@oja/domain/rules';
import type { AppContext } from '../../runtime/context.js';
import { usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { nearestHint } from '../../terminal/usage.js';
import { liveDocuments } from './live-documents.js';
import { type FoundSeller, findSeller, sellerNamed } from './sellers.js';
import { waitForModels } from './wait-for-models.js';

export type PlacedOrder = Extract<TransactionState, { readonly status: 'placed' }>;

/** The state of an order, folded from its stream; null when no order with this id was placed. */
async function placedOrder(context: AppContext, id: string): Promise<PlacedOrder | null> {
  const { state } = await context.commands.load(transaction, id);
  return state.status === 'placed' ? state : null;
}

/** The state of an order by its id, folded from its stream. @throws Exit 2 naming the nearest id when there is none. */
export async function orderWithId(context: AppContext, id: string): Promise<PlacedOrder> {
  const order = await placedOrder(context, id);
  if (order !== null) return order;
  const hint = hintOf(id, await knownIds(context));
  throw usageExit(`There is no transaction '${id}'${hint}.`);
}

/** The length of an order number. */
const NUMBER_LETTERS = 8;
const NUMBER = new RegExp(`^[0-9a-f]{${NUMBER_LETTERS}}$`, 'i');

/** The nearest name, as a hint. None for short texts: ids are random, so some id is always near to a few letters. */
export const hintOf = (text: string, names: readonly string[]): string =>
  text.length < NUMBER_LETTERS ? '' : nearestHint(text, names);

/**
 * An order by its id, its number, a reference of its payment, or the buyer's order key, of which only the id is used.
 * @throws Exit 2 naming the nearest order when there is none, or the orders that share the number; 1 when that cannot be
 * told, because the read model of orders cannot follow the log.
 */
export const orderNamed = async (context: AppContext, text: string): Promise<PlacedOrder> =>
  orderWithId(context, await idNamed(context, text));

/** Like `orderNamed`, but null when there is none. @throws as `orderNamed` otherwise */
export const findOrder = async (context: AppContext, text: string): Promise<PlacedOrder | null> =>
  placedOrder(context, await idNamed(context, text));

/**
 * A seller by id, by the business name that an order shows, which is that of its time, or by the name of now. One who has
 * no part in the order is returned, too. @throws Exit 2 when there is none, or two sellers of the order fit.
 */
export async function sellerOf(
  context: AppContext,
  { shares }: PlacedOrder,
  text: string,
): Promise<FoundSeller> {
  if (shares.some(({ sellerId }) => sellerId === text)) return sellerNamed(context, text);
  const key = businessNameKey(text);
  const ids: string[] = [];
  for (const { sellerId, businessName } of shares) {
    // An erased seller's, too, which somebody else may have by now.
    const now = (await findSeller(context, sellerId))?.businessName ?? businessName;
    if ([businessName, now].some((name) => businessNameKey(name) === key)) ids.push(sellerId);
  }
  if (ids.length > 1)
    throw usageExit(
      `Several sellers of this order are or were called '${text}': say which by the id, ${ids.join(' or ')}.`,
    );
  return sellerNamed(context, ids[0] ?? text);
}

async function idNamed(context: AppContext, text: string): Promise<string> {
  const [typed = ''] = text.trim().replace(/^#/, '').split('.', 1);
  const id = transactionOfReference(typed.toLowerCase());
  if (id !== null) return id;
  if (!NUMBER.test(typed)) return typed;
  const look = async () =>
    (await knownIds(context)).filter((known) => orderNumber(known) === typed.toUpperCase());
  let numbered = await look();
  if (numbered.length === 0) {
    // It may be an order that the read model has not come to, as after a restore or an import.
    await waitForModels(context, [transactions], interruptSignal());
    numbered = await look();
  }
  if (numbered.length > 1)
    throw usageExit(`Several orders have the number ${typed}: ${numbered.join(', ')}.`);
  return numbered[0] ?? typed;
}

/** The ids of all orders that the read model has come to. */
export async function knownIds(context: AppContext): Promise<readonly string[]> {
  const ids: string[] = [];
  if ((await context.readModels.checkpointOf(transactions)) === null) return ids;
  const all = liveDocuments<TransactionDocument>(context, transactions, 'transactions');
  for await (const { id } of all) ids.push(id);
  return ids;
}
