import type { Transaction } from '@oja/contracts';
import { LEDGER_ID, type TransactionDocument } from '@oja/contracts/models';
import { streamNames } from '@oja/domain';
import { NEWEST_TRANSACTIONS, orderKeyParts, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { type Filter, isSameSecret, type Page, yieldToEventLoop } from '@oja/platform';
import {
  noOrder,
  noTransaction,
  ok,
  orForeignCursor,
  type QueryHandler,
  type Tools,
} from '../deps.js';
import { ascending, descending, equal } from '../read-models.js';
import { buyerValues, holderValues, money, order, transaction } from '../wire/orders.js';
import { openPersonal, showWithPersonal } from '../wire/people.js';

/** Whether the secret opens the order; never once the buyer's key is destroyed. */
async function opens(
  secret: string,
  document: TransactionDocument,
  sealer: Tools['sealer'],
): Promise<boolean> {
  const stream = streamNames.transaction(document.transactionId);
  const [kept] = await sealer.openMany([{ stream, field: 'secret', value: document.secret }]);
  return typeof kept === 'string' && isSameSecret(kept, secret);
}

/** A wrong secret and an unknown order get the same answer. */
export const getOrder =
  ({ reader, sealer, images, clock }: Tools): QueryHandler<'getOrder'> =>
  async ({ params }) => {
    const { transactionId, secret } = orderKeyParts(params.orderKey);
    const document = await (await reader.open('transactions'))
      .of('transactions')
      .get(transactionId);
    if (document === null || !(await opens(secret, document, sealer))) return noOrder();
    const personal = await openPersonal(sealer, holderValues(document));
    return ok({
      success: true,
      order: order(document, params.orderKey, personal, images, clock.now()),
    });
  };

/** Transactions as admins see them. All their personal values are opened in one call. */
const shownTransactions = (
  { sealer, images }: Pick<Tools, 'sealer' | 'images'>,
  documents: readonly TransactionDocument[],
): Promise<Transaction[]> =>
  showWithPersonal(sealer, documents, buyerValues, (one, personal) =>
    transaction(one, personal, images),
  );

const documentsOf = ({ items }: Page<TransactionDocument>) => items.map(({ document }) => document);

/** Transactions that are read and opened at a time: thousands at once would keep everybody else waiting. */
const AT_A_TIME = 250;

/**
 * Paid orders, including those whose payment was taken back later. Unpaid orders and removed
 * records are left out.
 */
export const getTransactions = (tools: Tools): QueryHandler<'getTransactions'> => {
  const { reader } = tools;
  return ({ query }) =>
    orForeignCursor(async () => {
      const transactions = (await reader.open('transactions')).of('transactions');
      const most = query.limit ?? NEWEST_TRANSACTIONS;
      const result: Transaction[] = [];
      let { cursor } = query;
      for (;;) {
        const page = await transactions.find({
          filter: [
            { field: 'status', op: 'in', values: ['success', 'reversed'] },
            equal('removed', false),
          ],
          sort: descending('placedAt'),
          limit: Math.min(most - result.length, AT_A_TIME),
          cursor,
        });
        result.push(...(await shownTransactions(tools, documentsOf(page))));
        if (page.next === null || result.length >= most)
          return ok({ ok: true, result, nextCursor: page.next });
        cursor = page.next;
        await yieldToEventLoop();
      }
    });
};

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

/** How many of each kind are listed. The table of transactions has the others. */
const MOST_SHOWN = 10;

/**
 * The orders that wait for an admin: disputed ones, and those paid long ago and not confirmed. The oldest, and the number,
 * of each.
 */
async function findWaiting({ reader, clock }: Tools) {
  const transactions = (await reader.open('transactions')).of('transactions');
  const since = new Date(clock.now() - UNCONFIRMED_AFTER_MS).toISOString();
  const disputed: Filter = [equal('received', 'DISPUTED')];
  const late: Filter = [equal('unconfirmed', true), { field: 'paidAt', op: 'lte', value: since }];
  const oldest = (filter: Filter, field: string) =>
    transactions.find({ filter, sort: ascending(field), limit: MOST_SHOWN });
  return Promise.all([
    oldest(disputed, 'placedAt'),
    transactions.count(disputed),
    oldest(late, 'paidAt'),
    transactions.count(late),
  ]);
}

export const adminOverview =
  (tools: Tools): QueryHandler<'adminOverview'> =>
  async () => {
    const sellers = (await tools.reader.open('sellers')).of('sellers');
    const accounts = (await tools.reader.open('ledger')).of('accounts');
    const [totalSellers, totalAdmins, ledger, [disputed, disputes, late, unconfirmed]] =
      await Promise.all([
        sellers.count([equal('isAdmin', false), equal('erased', false)]),
        sellers.count([equal('isStaff', true), equal('erased', false)]),
        accounts.get(LEDGER_ID),
        findWaiting(tools),
      ]);
    return ok({
      success: true,
      totalSellers,
      totalAdmins,
      money: money(ledger),
      disputes: await shownTransactions(tools, documentsOf(disputed)),
      unconfirmed: await shownTransactions(tools, documentsOf(late)),
      waiting: { disputes, unconfirmed },
    });
  };
