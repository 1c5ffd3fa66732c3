import { LEDGER_ID } from '@oja/contracts/models';
import { UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { ascending, descending, equal } from '../../models/values.js';
import { money } from '../../wire/money.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { documentsOf, shownTransactions } from './shown-transactions.js';

/** Of either list; whoever has more of them open has enough to do. */
const MOST_SHOWN = 200;

/** Orders in dispute, newest first, and those paid long ago and not confirmed, oldest first. */
async function open({ reader, clock }: Tools) {
  const transactions = (await reader.open('transactions')).of('transactions');
  const since = new Date(clock.now() - UNCONFIRMED_AFTER_MS).toISOString();
  return Promise.all([
    transactions.find({
      filter: [equal('received', 'DISPUTED')],
      sort: descending('placedAt'),
      limit: MOST_SHOWN,
    }),
    transactions.find({
      filter: [equal('unconfirmed', true), { field: 'paidAt', op: 'lte', value: since }],
      sort: ascending('paidAt'),
      limit: MOST_SHOWN,
    }),
  ]);
}

export const adminOverview =
  (tools: Tools): QueryHandler<'adminOverview'> =>
  async () => {
    const sellers = (await tools.reader.open('sellers')).of('sellers');
    const accounts = (await tools.reader.open('ledger')).of('accounts');
    const [totalSellers, totalAdmins, ledger, [disputed, unconfirmed]] = await Promise.all([
      sellers.count([equal('isAdmin', false)]),
      sellers.count([equal('isStaff', true)]),
      accounts.get(LEDGER_ID),
      open(tools),
    ]);
    return ok({
      success: true,
      totalSellers,
      totalAdmins,
      money: money(ledger),
      disputes: await shownTransactions(tools, documentsOf(disputed)),
      unconfirmed: await shownTransactions(tools, documentsOf(unconfirmed)),
    });
  };
