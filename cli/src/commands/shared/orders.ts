import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { type TransactionState, transaction } from '@oja/domain';
import { orderNumber, transactionOfReference } from '@oja/domain/rules';
import { everyOne } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { nearestOf } from '../../terminal/usage.js';

export type PlacedOrder = Extract<TransactionState, { readonly status: 'placed' }>;

/** An order by its id, as its stream tells it. @throws Exit 2 naming the nearest one. */
export async function orderWithId(context: AppContext, id: string): Promise<PlacedOrder> {
  const { state } = await context.handle.load(transaction, id);
  if (state.status === 'placed') return state;
  const hint = hintOf(id, await knownIds(context));
  throw new Exit(exitCodes.usage, `There is no transaction '${id}'${hint}.`);
}

/** As long as an order's number. */
const LEAST_LETTERS = 8;

/** Ids are random: of fewer letters some order is always near, and means nothing. */
const hintOf = (text: string, ids: readonly string[]): string =>
  text.length < LEAST_LETTERS ? '' : nearestOf(text, ids);

/**
 * An order by whatever it goes by: its id, a reference of its payment, its number, or the buyer's own key, of which
 * only the id is looked at. @throws Exit 2 naming the nearest one, or those that share the number.
 */
export async function orderNamed(context: AppContext, text: string): Promise<PlacedOrder> {
  const [typed = ''] = text.trim().replace(/^#/, '').split('.', 1);
  const id = transactionOfReference(typed.toLowerCase());
  if (id !== null) return orderWithId(context, id);
  const numbered = (await knownIds(context)).filter(
    (known) => orderNumber(known) === typed.toUpperCase(),
  );
  if (numbered.length > 1)
    throw new Exit(
      exitCodes.usage,
      `Several orders have the number ${typed}: ${numbered.join(', ')}.`,
    );
  return orderWithId(context, numbered[0] ?? typed);
}

async function knownIds({ engines, readModels }: AppContext): Promise<readonly string[]> {
  const ids: string[] = [];
  if ((await readModels.checkpointOf(transactions)) === null) return ids;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const all = everyOne<TransactionDocument>(engines.documents, collection, {});
  for await (const { id } of all) ids.push(id);
  return ids;
}
