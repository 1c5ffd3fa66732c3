import { settleDispute } from '@oja/command-service';
import { type TransactionDocument, transactions } from '@oja/contracts/models';
import {
  DAY_MS,
  formatNaira,
  isLongUnconfirmed,
  isReturned,
  OPERATOR,
  refundOf,
  streamNames,
  UNCONFIRMED_AFTER_MS,
} from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import { createSealer, nowOf } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { commandDeps } from '../../runtime/command-deps.js';
import type { AppContext } from '../../runtime/context.js';
import { withContext } from '../../runtime/context.js';
import { confirmChange, operatorContext } from '../../runtime/operator.js';
import type { ConfirmOptions } from '../../terminal/confirm.js';
import { failedExit, usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { formatTable, type Output, printAnswer } from '../../terminal/output.js';
import { liveDocuments } from '../shared/live-documents.js';
import { orderNamed, type PlacedOrder, sellerOf } from '../shared/orders.js';
import { waitForModels } from '../shared/wait-for-models.js';

type Dispute = Answer<'dispute list'>[number];

/** What is listed of every share, whatever is open about it. */
const sharedIn = (
  transactionId: string,
  { sellerId, businessName, share, paid }: TransactionDocument['shares'][number],
) => ({ transactionId, sellerId, businessName, share, paid });

/** Held shares of orders paid so long ago that they may be settled without the buyer. */
async function unconfirmed(context: AppContext): Promise<readonly Dispute[]> {
  const paidBefore = new Date(context.clock.now() - UNCONFIRMED_AFTER_MS).toISOString();
  const open: Dispute[] = [];
  // A complaint about one seller's goods says nothing of the others', which nobody has confirmed either.
  for (const of of [
    { field: 'unconfirmed', value: true },
    { field: 'received', value: 'DISPUTED' },
  ]) {
    const orders = liveDocuments<TransactionDocument>(context, transactions, 'transactions', {
      filter: [
        { ...of, op: 'eq' },
        { field: 'paidAt', op: 'lte', value: paidBefore },
      ],
    });
    for await (const { id, document } of orders)
      for (const share of document.shares)
        if (share.status === 'held')
          open.push({ ...sharedIn(id, share), complaint: null, unconfirmed: true });
  }
  return open;
}

async function disputes(context: AppContext): Promise<readonly Dispute[]> {
  const sealer = createSealer(context.engines.keys);
  const orders = liveDocuments<TransactionDocument>(context, transactions, 'transactions', {
    filter: [{ field: 'received', op: 'eq', value: 'DISPUTED' }],
  });
  const open: Dispute[] = [];
  for await (const { id, document } of orders)
    for (const share of document.shares) {
      if (share.status !== 'disputed') continue;
      const complaint =
        share.complaint === null
          ? null
          : await sealer.open(streamNames.transaction(id), 'complaint', share.complaint);
      open.push({ ...sharedIn(id, share), complaint, unconfirmed: false });
    }
  return open;
}

export async function list(options: Output): Promise<void> {
  await withContext(async (context) => {
    await waitForModels(context, [transactions], interruptSignal());
    const open = [...(await disputes(context)), ...(await unconfirmed(context))];
    printAnswer<'dispute list'>(options, open, () =>
      open.length === 0
        ? [
            `No dispute is open, and no order has been unconfirmed for ${UNCONFIRMED_AFTER_MS / DAY_MS} days.`,
          ]
        : formatTable([
            ['transaction', 'seller', 'seller gets', 'buyer paid', 'complaint'],
            ...open.map((each) => [
              each.transactionId,
              each.businessName,
              formatNaira(each.share),
              formatNaira(each.paid),
              each.unconfirmed ? '(not confirmed)' : (each.complaint ?? '(removed)'),
            ]),
          ]),
    );
  });
}

/** Kobo that a settlement would move; null when there is nothing to settle. */
function atStake(
  order: PlacedOrder,
  sellerId: string,
  outcome: 'release' | 'refund',
  now: string,
): number | null {
  const share = order.shares.find((each) => each.sellerId === sellerId);
  if (share === undefined) return null;
  const isLong = share.status === 'held' && isLongUnconfirmed(order, now);
  if (share.status !== 'disputed' && !isLong) return null;
  return outcome === 'release' ? share.share : refundOf(order, share).amount;
}

/** What a dispute at the bank has given back of the payment in part, and counts for a refund that is asked for now. */
function returnedBefore(order: PlacedOrder, amount: number): number {
  const first = order.refunds.filter((refund) => isReturned(order, refund));
  const open = first.reduce((left, refund) => left - refund.amount, order.returned.open);
  return Math.min(Math.max(0, open), amount);
}

interface SettleOptions extends Output, ConfirmOptions {
  readonly seller: string;
  readonly release?: boolean;
  readonly refund?: boolean;
  readonly note?: string;
}

/**
 * Settles a complaint about a seller's goods of an order, after asking. `named`: the order, by id or number.
 * @throws Exit when it is not said how, nothing of that name exists, or the order refuses it; Interrupted
 */
export async function settle(named: string, options: SettleOptions): Promise<void> {
  if (options.release === options.refund)
    throw usageExit('Say how to settle it: --release or --refund.');
  const outcome = options.release ? 'release' : 'refund';
  await withContext(async (context) => {
    const order = await orderNamed(context, named);
    const { transactionId } = order;
    const { sellerId, businessName } = await sellerOf(context, order, options.seller);
    if (!order.shares.some((share) => share.sellerId === sellerId))
      throw failedExit(`${businessName} has no part in the order; nothing was changed.`);
    const amount = atStake(order, sellerId, outcome, nowOf(context));
    const before = outcome === 'release' ? 0 : returnedBefore(order, amount ?? 0);
    const rest = `; the bank has given back ${formatNaira(before)} of it, so ${formatNaira((amount ?? 0) - before)} is sent`;
    const whose =
      outcome === 'release'
        ? `released to ${businessName}`
        : `given back to the buyer for the goods of ${businessName}${before > 0 ? rest : ''}`;
    const sum = `${formatNaira(amount ?? 0)} of order ${orderNumber(transactionId)}`;
    if (amount !== null) await confirmChange(context, `${sum} will be ${whose}.`, options);
    const { note } = options;
    const settlement = { transactionId, sellerId, outcome, by: OPERATOR } as const;
    const handled = await settleDispute(
      commandDeps(context),
      { ...settlement, ...(note !== undefined && { note }) },
      operatorContext(),
    );
    if (!handled.ok) {
      const why = handled.conflict ? 'The order was changed meanwhile' : handled.refusal.message;
      throw failedExit(`${why}.`);
    }
    const answer = { ...settlement, amount, position: handled.position };
    printAnswer<'dispute settle'>(options, answer, () => [`It is settled: ${sum} is ${whose}.`]);
  });
}
