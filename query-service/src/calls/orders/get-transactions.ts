import { descending, equal } from '../../models/values.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { orForeignCursor } from '../refusals.js';
import { documentsOf, shownTransactions } from './shown-transactions.js';

const NEWEST = 5_000;

/**
 * Orders that were paid, also those whose payment was taken back later. An order that nobody paid is no
 * transaction, and a record that was removed is gone from the table.
 */
export const getTransactions = (tools: Tools): QueryHandler<'getTransactions'> => {
  const { reader } = tools;
  return ({ query }) =>
    orForeignCursor(async () => {
      const transactions = (await reader.open('transactions')).of('transactions');
      const page = await transactions.find({
        filter: [
          { field: 'status', op: 'in', values: ['success', 'reversed'] },
          equal('removed', false),
        ],
        sort: descending('placedAt'),
        limit: NEWEST,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      });
      const result = await shownTransactions(tools, documentsOf(page));
      return ok({ ok: true, result, nextCursor: page.next });
    });
};
