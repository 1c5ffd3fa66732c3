import { loadPayable, loadRefunds } from '@oja/command-service';
import { type ObligationDocument, type ObligationKind, obligations } from '@oja/contracts/models';
import {
  DAY_MS,
  keySubject,
  ORDER_EXPIRES_AFTER_MS,
  type ShareState,
  UNCONFIRMED_AFTER_MS,
} from '@oja/domain';
import type { Filter } from '@oja/platform';
import { commandDeps } from '../../runtime/command-deps.js';
import type { AppContext } from '../../runtime/context.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { liveDocuments } from '../shared/live-documents.js';
import type { PlacedOrder } from '../shared/orders.js';
import { waitOrNote } from '../shared/wait-for-models.js';
import { isMet } from '../status/obligations.js';
import { noticesOf, type Story } from './story.js';

/** Something that an order waits for, and who can move it. */
export type Wait = Story['waits'][number];

const addMs = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString();

function paymentWaits({ payment, expired, placedAt, reversed, openDisputes }: PlacedOrder): Wait[] {
  const bank = { who: 'bank', due: null, command: null } as const;
  if (payment === null) {
    if (expired) return [];
    const due = addMs(placedAt, ORDER_EXPIRES_AFTER_MS);
    return [{ who: 'buyer', what: 'the payment; the order expires then', due, command: null }];
  }
  // Once its disputes are closed the bank has decided, and nobody waits for the money any more.
  if (!openDisputes.some(({ reference }) => reference === payment.reference)) return [];
  return [
    ...(reversed ? [{ ...bank, what: 'the payment, which was taken back' }] : []),
    { ...bank, what: 'the end of the dispute' },
  ];
}

/** Whether a sweep pays the share: it leaves alone what an operator has begun to pay by hand. */
const isPaidBySweep = ({ payoutMethod }: ShareState, payouts: boolean): boolean =>
  payouts && payoutMethod !== 'manual';

/** A payout that an operator makes by hand, or of which the provider is asked then. */
const payoutByHand = (transactionId: string, { sellerId, businessName }: ShareState): Wait => ({
  who: 'operator',
  what: `the payout to ${businessName}`,
  due: null,
  command: `oja payouts mark-paid ${transactionId} --seller ${sellerId}`,
});

function shareWaits(order: PlacedOrder, payouts: boolean, now: number): Wait[] {
  const { transactionId, shares, payment } = order;
  return shares.flatMap((share): Wait[] => {
    const { sellerId, businessName, status } = share;
    const whose = `${transactionId} --seller ${sellerId}`;
    const settle = `oja dispute settle ${whose} --release | --refund`;
    const operator = { who: 'operator', due: null } as const;
    switch (status) {
      case 'held': {
        const what = `confirmation of the delivery by ${businessName}, or a complaint`;
        const due = payment && addMs(payment.paidAt, UNCONFIRMED_AFTER_MS);
        const isLong = due !== null && Date.parse(due) <= now;
        const long = `settling the part of ${businessName}: nobody has confirmed it for ${UNCONFIRMED_AFTER_MS / DAY_MS} days`;
        const command = `${settle} --note '…'`;
        return [
          { who: 'buyer', what, due: null, command: null },
          ...(isLong ? [{ ...operator, what: long, command }] : []),
        ];
      }
      case 'disputed':
        return [{ ...operator, what: `the complaint about ${businessName}`, command: settle }];
      case 'released':
      case 'payout-requested':
        return isPaidBySweep(share, payouts) ? [] : [payoutByHand(transactionId, share)];
      default:
        return [];
    }
  });
}

const words: Partial<Record<ObligationKind, string>> = {
  'payment-check': 'asking the provider how the payment ended',
  'order-expiry': 'a last check before the order expires',
  'dispute-check': 'asking the provider about the dispute',
  'stock-return': 'putting products back into stock',
  'payout-check': 'checking that the transfer was not sent back',
  'destroy-key': "destroying the buyer's key",
};

/** A payout by transfer, and who can move it: without an account to pay to no sweep does. Null where none is to be made. */
async function transferWait(
  context: AppContext,
  { transactionId, shares }: PlacedOrder,
  owed: ObligationDocument,
): Promise<Wait | null> {
  const { config, engines } = context;
  const share = shares.find(({ sellerId }) => sellerId === owed.sellerId);
  const payable = await loadPayable(commandDeps(context), owed);
  if (share === undefined || payable === null || !isPaidBySweep(share, config.payouts)) return null;
  const { sellerId, businessName } = share;
  const wait = { due: null, command: null } as const;
  if (payable.needsSomebody) {
    const what = `the transfer to ${businessName}: approve it at the provider`;
    return { ...wait, who: 'operator', what };
  }
  if (payable.account !== null) {
    const after = payable.isDisputed ? ', not before the end of the dispute' : '';
    return { ...wait, who: 'sweep', what: `a transfer to ${businessName}${after}`, due: owed.due };
  }
  if (await engines.keys.isDestroyed(keySubject('seller', sellerId)))
    return payoutByHand(transactionId, share);
  return { ...wait, who: 'seller', what: `the bank account of ${businessName}, for the payout` };
}

/** From when on it is due; null for a key, which is owed from whenever it was asked for. */
const dueOf = ({ kind, due, dueTimes }: ObligationDocument, now: number): string | null =>
  kind === 'destroy-key' ? null : (dueTimes?.find((time) => Date.parse(time) > now) ?? due);

/** What finds all obligations about an order: their subject is its id, `<id>/<item>`, or the name of its buyer's key. */
const filtersOf = (id: string): readonly Filter[] => [
  [{ field: 'subject', op: 'in', values: [id, keySubject('transaction', id)] }],
  [
    { field: 'subject', op: 'gte', value: `${id}/` },
    // The character after the slash.
    { field: 'subject', op: 'lt', value: `${id}0` },
  ],
];

/** A refund, and who can move it: the provider may have it, and may want somebody to act there. */
async function refundWait(
  { engines: { state }, clock }: AppContext,
  { subject, item, due }: ObligationDocument,
): Promise<Wait> {
  const refunds = await loadRefunds({ state, clock }, subject);
  const { providerRefundId = null, needsSomebody = false } =
    refunds.get(item ?? '')?.progress ?? {};
  if (needsSomebody)
    return {
      who: 'operator',
      what: 'the refund, which waits for somebody at the provider: act there',
      due: null,
      command: null,
    };
  const what =
    providerRefundId === null
      ? 'requesting a refund'
      : 'asking the provider about the refund that it has accepted';
  return { who: 'sweep', what, due, command: null };
}

/** What an obligation of the services waits for; null where nothing is to be done for it. */
async function obligationWait(
  context: AppContext,
  order: PlacedOrder,
  owed: ObligationDocument,
): Promise<Wait | null> {
  const { kind } = owed;
  if (kind === 'payout') return transferWait(context, order, owed);
  if (kind === 'refund') return refundWait(context, owed);
  const what = words[kind] ?? `sending the e-mail '${kind}'`;
  return { who: 'sweep', what, due: dueOf(owed, context.clock.now()), command: null };
}

/** The open obligations of the services about the order, the first due first. */
async function obligationWaits(context: AppContext, order: PlacedOrder): Promise<readonly Wait[]> {
  const { readModels } = context;
  await waitOrNote(context, obligations, interruptSignal());
  if ((await readModels.checkpointOf(obligations)) === null) return [];
  const waits: Wait[] = [];
  for (const filter of filtersOf(order.transactionId))
    for await (const { document } of liveDocuments<ObligationDocument>(
      context,
      obligations,
      'due',
      { filter },
    )) {
      if (await isMet(context, document)) continue;
      const wait = await obligationWait(context, order, document);
      if (wait !== null) waits.push(wait);
    }
  return waits.sort((one, other) => ((one.due ?? '') < (other.due ?? '') ? -1 : 1));
}

/** What the provider told and nobody has worked on: a buyer may have paid long ago. */
async function noticeWaits(context: AppContext, order: PlacedOrder): Promise<readonly Wait[]> {
  const notices = await noticesOf(context, order);
  return notices
    .filter(({ isDone }) => !isDone)
    .map(({ type }) => ({
      who: 'sweep',
      what: `processing what the provider told: ${type}`,
      due: null,
      command: null,
    }));
}

/** What the order waits for now, people first; empty when it is closed or has expired. */
export async function waitsOf(context: AppContext, order: PlacedOrder): Promise<readonly Wait[]> {
  return [
    ...(await noticeWaits(context, order)),
    ...paymentWaits(order),
    ...shareWaits(order, context.config.payouts, context.clock.now()),
    ...(await obligationWaits(context, order)),
  ];
}
