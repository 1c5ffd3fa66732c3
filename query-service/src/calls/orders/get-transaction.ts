import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noTransaction } from '../refusals.js';
import { shownTransactions } from './shown-transactions.js';

export const getTransaction = (tools: Tools): QueryHandler<'getTransaction'> => {
  const { reader } = tools;
  return async ({ params }) => {
    const transactions = (await reader.open('transactions')).of('transactions');
    const document = await transactions.get(params.id);
    if (document === null) return noTransaction();
    const [result] = await shownTransactions(tools, [document]);
    return result === undefined ? noTransaction() : ok({ ok: true, result });
  };
};
