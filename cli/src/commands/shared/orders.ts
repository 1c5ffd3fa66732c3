import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { type TransactionState, transaction } from '@oja/domain';
import { everyOne } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { nearestOf } from '../../terminal/usage.js';

export type PlacedOrder = Extract<TransactionState, { readonly status: 'placed' }>;

/** An order by its id, as its stream tells it. @throws Exit 2 naming the nearest one. */
export async function orderWithId(context: AppContext, id: string): Promise<PlacedOrder> {
  const { state } = await context.handle.load(transaction, id);
  if (state.status === 'placed') return state;
  const hint = nearestOf(id, await knownIds(context));
  throw new Exit(exitCodes.usage, `There is no transaction '${id}'${hint}.`);
}

async function knownIds({ engines, readModels }: AppContext): Promise<readonly string[]> {
  const ids: string[] = [];
  if ((await readModels.checkpointOf(transactions)) === null) return ids;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const all = everyOne<TransactionDocument>(engines.documents, collection, {});
  for await (const { id } of all) ids.push(id);
  return ids;
}
