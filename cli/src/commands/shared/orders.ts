import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { type TransactionState, transaction } from '@oja/domain';
import { orderNumber, transactionOfReference } from '@oja/domain/rules';
import { everyOne } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { nearestOf } from '../../terminal/usage.js';

export type PlacedOrder = Extract<TransactionState, { readonly status: 'placed' }>;

/** As its stream tells it; null where none was placed under this id. */
async function placedOrder(context: AppContext, id: string): Promise<PlacedOrder | null> {
  const { state } = await context.handle.load(transaction, id);
  return state.status === 'placed' ? state : null;
}

/** An order by its id, as its stream tells it. @throws Exit 2 naming the nearest one. */
export async function orderWithId(context: AppContext, id: string): Promise<PlacedOrder> {
  const order = await placedOrder(context, id);
  if (order !== null) return order;
  const hint = hintOf(id, await knownIds(context));
  throw new Exit(exitCodes.usage, `There is no transaction '${id}'${hint}.`);
}

/** Of an order's number. */
const NUMBER_LETTERS = 8;

/** What the text may be meant for. Ids are random: of fewer letters some order is always near, and means nothing. */
export const hintOf = (text: string, names: readonly string[]): string =>
  text.length < NUMBER_LETTERS ? '' : nearestOf(text, names);

/**
 * An order by whatever it goes by: its id, a reference of its payment, its number, or the buyer's own key, of which
 * only the id is looked at. @throws Exit 2 naming the nearest one, or those that share the number.
 */
export const orderNamed = async (context: AppContext, text: string): Promise<PlacedOrder> =>
  orderWithId(context, await idNamed(context, text));

/** The same; null where there is none. @throws Exit 2 naming those that share the number. */
export const findOrder = async (context: AppContext, text: string): Promise<PlacedOrder | null> =>
  placedOrder(context, await idNamed(context, text));

async function idNamed(context: AppContext, text: string): Promise<string> {
  const [typed = ''] = text.trim().replace(/^#/, '').split('.', 1);
  const id = transactionOfReference(typed.toLowerCase());
  if (id !== null) return id;
  if (typed.length !== NUMBER_LETTERS) return typed;
  const numbered = (await knownIds(context)).filter(
    (known) => orderNumber(known) === typed.toUpperCase(),
  );
  if (numbered.length > 1)
    throw new Exit(
      exitCodes.usage,
      `Several orders have the number ${typed}: ${numbered.join(', ')}.`,
    );
  return numbered[0] ?? typed;
}

/** Of all orders. */
export async function knownIds({ engines, readModels }: AppContext): Promise<readonly string[]> {
  const ids: string[] = [];
  if ((await readModels.checkpointOf(transactions)) === null) return ids;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const all = everyOne<TransactionDocument>(engines.documents, collection, {});
  for await (const { id } of all) ids.push(id);
  return ids;
}
