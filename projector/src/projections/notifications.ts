import {
  type InboxDocument,
  notifications as model,
  type NotificationDocument,
  type NotificationsCollections,
  noticeId,
  noticeMessage,
} from '@oja/contracts/models';
import {
  type EventOf,
  formatNaira,
  inboxEvents,
  type OrderLine,
  sellerEvents,
  transactionEvents,
  wasStopped,
} from '@oja/domain';
import type { Change, Fact, Loaded } from '../runner/projection.js';
import { define, del, pick, put } from './define.js';
import { concerns, disputesOf, isBankDispute, openDisputesAfter, saleText } from './sales.js';

const aboutOrders = pick(
  transactionEvents,
  'PaymentVerified',
  'PaymentDisputed',
  'PaymentDisputeClosed',
  'PaymentReversed',
  'PaymentRestored',
  'DeliveryDisputed',
  'DisputeResolved',
  'SellerShareReleased',
  'PayoutCompleted',
  'PayoutFailed',
  'RefundRequested',
);
const aboutStores = pick(
  sellerEvents,
  'SellerSuspended',
  'SellerReinstated',
  'PayoutAccountSet',
  'SellerPasswordChanged',
  'SellerPasswordReset',
);
type OrderNews = EventOf<typeof aboutOrders>;
type Restored = Extract<OrderNews, { readonly type: 'PaymentRestored' }>;

const subscriptionKey = (sellerId: string, subscriptionId: string) =>
  `${sellerId}/${subscriptionId}`;

/**
 * Notices to sellers: of each paid order, of what happens to its money later, of a store that is
 * suspended or reinstated, and of another bank account or password. A notice stays until its seller clears it. Also
 * keeps the push subscriptions.
 */
export const notifications = define<NotificationsCollections>()({
  model,
  scope: 'stream',
  schemas: {
    ...pick(transactionEvents, 'OrderPlaced', 'PayoutRequested'),
    ...aboutOrders,
    ...aboutStores,
    ...inboxEvents,
  },
  reads({ event }, documents) {
    switch (event.type) {
      case 'OrderPlaced':
      case 'PushSubscribed':
      case 'PushUnsubscribed':
        return [];
      case 'PayoutRequested':
        return event.data.method === 'manual'
          ? [{ collection: 'orders', id: event.data.transactionId }]
          : [];
      case 'NotificationsCleared': {
        const { sellerId } = event.data;
        return [
          { collection: 'inboxes', id: sellerId },
          { collection: 'items', where: { field: 'sellerId', value: sellerId } },
        ];
      }
      case 'SellerSuspended':
      case 'SellerReinstated':
      case 'PayoutAccountSet':
      case 'SellerPasswordChanged':
      case 'SellerPasswordReset':
        return [{ collection: 'inboxes', id: event.data.sellerId }];
      default: {
        const order = { collection: 'orders', id: event.data.transactionId } as const;
        if (!documents.has(order)) return [order];
        return sellersConcerned(event, documents).map(({ sellerId }) => ({
          collection: 'inboxes',
          id: sellerId,
        }));
      }
    }
  },
  project(fact, documents) {
    const { event } = fact;
    switch (event.type) {
      case 'OrderPlaced': {
        const { transactionId, lines, shares } = event.data;
        const sellers = shares.map(({ sellerId }) => ({
          sellerId,
          lines: linesOf(lines, sellerId),
        }));
        const order = { sellers, paymentReference: null, openDisputes: [], payoutsByHand: [] };
        return [put('orders', transactionId, order)];
      }
      case 'PayoutRequested': {
        const { transactionId, payoutId, method } = event.data;
        const order = method === 'manual' ? documents.get('orders', transactionId) : null;
        if (order === null) return [];
        const payoutsByHand = [...order.payoutsByHand, payoutId];
        return [put('orders', transactionId, { ...order, payoutsByHand })];
      }
      case 'NotificationsCleared': {
        const { sellerId, upTo } = event.data;
        const inbox = inboxOf(sellerId, documents);
        const before = inbox.clearedUpTo;
        const clearedUpTo = before !== null && before > upTo ? before : upTo;
        const items = documents.find('items', 'sellerId', sellerId);
        const seen = items.filter(({ document }) => document.position <= clearedUpTo);
        const unread = items.length - seen.length;
        return [
          ...seen.map(({ id }) => del('items', id)),
          put('inboxes', sellerId, { ...inbox, unread, clearedUpTo }),
        ];
      }
      case 'PushSubscribed': {
        const { sellerId, subscriptionId, subscription } = event.data;
        const document = { sellerId, subscriptionId, subscription };
        return [put('subscriptions', subscriptionKey(sellerId, subscriptionId), document)];
      }
      case 'PushUnsubscribed': {
        const { sellerId, subscriptionId } = event.data;
        return [del('subscriptions', subscriptionKey(sellerId, subscriptionId))];
      }
      case 'SellerSuspended':
      case 'SellerReinstated':
      case 'SellerPasswordChanged':
      case 'SellerPasswordReset':
        return storeNotice(event, fact, documents);
      case 'PayoutAccountSet': {
        const inbox = inboxOf(event.data.sellerId, documents);
        return inbox.hasPayoutAccount
          ? storeNotice(event, fact, documents)
          : [put('inboxes', inbox.sellerId, { ...inbox, hasPayoutAccount: true })];
      }
      default: {
        const { transactionId } = event.data;
        const order = documents.get('orders', transactionId);
        if (order === null) return [];
        const isPaid = event.type === 'PaymentVerified';
        const after = {
          ...order,
          ...(isPaid && { paymentReference: event.data.reference }),
          ...(isBankDispute(event) && {
            openDisputes: openDisputesAfter(order.openDisputes, event, fact.id),
          }),
        };
        const news: readonly { readonly event: OrderNews; readonly eventId: string }[] = [
          { event, eventId: fact.id },
          ...(isPaid ? disputesOf(order.openDisputes, event.data) : []),
        ];
        const told = sellersConcerned(event, documents).flatMap((part) =>
          notices(
            part.sellerId,
            news.map((each) => ({
              eventId: each.eventId,
              ...orderNotice(each.event, part, after),
            })),
            fact,
            documents,
          ),
        );
        const isChanged = isPaid || isBankDispute(event);
        return isChanged ? [...told, put('orders', transactionId, after)] : told;
      }
    }
  },
});

const storeText = {
  SellerSuspended: 'Your store is suspended. Nobody sees your goods; paid orders go on.',
  SellerReinstated: 'Your store is open again. Your goods are back in every list.',
  PayoutAccountSet:
    'Your payouts go to another bank account now. If you did not change it, change your password and write to us.',
  SellerPasswordChanged: 'Your password was changed. If it was not you, write to us at once.',
  SellerPasswordReset:
    'Oja gave you a one-time password. If you did not ask for one, write to us at once.',
} as const;

const storeNotice = (
  { type, data: { sellerId } }: EventOf<typeof aboutStores>,
  fact: Fact<unknown>,
  documents: Loaded<NotificationsCollections>,
) => {
  const told = storeText[type];
  const about = { type, transactionId: null, message: told, told, lines: [] };
  return notices(sellerId, [{ ...about, eventId: fact.id }], fact, documents);
};

const inboxOf = (sellerId: string, documents: Loaded<NotificationsCollections>): InboxDocument =>
  documents.get('inboxes', sellerId) ?? {
    sellerId,
    unread: 0,
    clearedUpTo: null,
    hasPayoutAccount: false,
  };

type Order = NotificationsCollections['orders'];
type SellerPart = Order['sellers'][number];

/** A payout ended, and no bank has refused it: its money is still owed, and is paid in another way or again. */
const isPaidOtherwise = (event: OrderNews, { payoutsByHand }: Order): boolean =>
  event.type === 'PayoutFailed' &&
  wasStopped(event.data, payoutsByHand.includes(event.data.payoutId) ? 'manual' : 'transfer');

/** One more transfer has failed at a bank account: the seller is told once. */
const isRepeated = (event: OrderNews): boolean =>
  event.type === 'PayoutFailed' && event.data.repeated === true;

/** What comes back to a seller with a payment that had been taken back; undefined if nothing of it is theirs. */
const restoredTo = ({ data }: Restored, sellerId: string) =>
  data.shares.find((share) => share.sellerId === sellerId);

const isHeldAgain = (share: ReturnType<typeof restoredTo>): boolean =>
  share?.status === 'held' || share?.status === 'disputed';

/**
 * The sellers that an order's event concerns. Resolving an order that was never confirmed is no
 * dispute: it concerns nobody. Nor does a payment that came back concern whoever was paid out, or whose goods were
 * refunded: nothing changes for them.
 */
function sellersConcerned(
  event: OrderNews,
  documents: Loaded<NotificationsCollections>,
): Order['sellers'] {
  if (event.type === 'DisputeResolved' && event.data.unconfirmed === true) return [];
  const order = documents.get('orders', event.data.transactionId);
  if (order === null || isPaidOtherwise(event, order) || isRepeated(event)) return [];
  const { sellers, paymentReference } = order;
  return sellers.filter(
    ({ sellerId }) =>
      concerns(event, sellerId, paymentReference) &&
      (event.type !== 'PaymentRestored' || restoredTo(event, sellerId) !== undefined),
  );
}

/** A notice, apart from whose it is, and where and when it was recorded. */
type NoticeContent = Omit<NotificationDocument, 'sellerId' | 'position' | 'createdAt'>;

/** `order`: as it is after the event. */
function orderNotice(
  event: OrderNews,
  part: SellerPart,
  order: Order,
): Omit<NoticeContent, 'eventId'> {
  const { type, data } = event;
  const { lines } = part;
  const about = { type, transactionId: data.transactionId, ...textOf(event, part), lines };
  if (type === 'PayoutFailed' && data.forfeited === true) return { ...about, forfeited: true };
  if (type === 'PayoutCompleted' && data.reason !== undefined) return { ...about, byHand: true };
  return isPayable(event) && isDisputed(order) ? { ...about, awaitsBank: true } : about;
}

/**
 * Whether the seller's money is to be paid out after this event. Not said of a payment that came back: the dispute that
 * took it is closed right after.
 */
const isPayable = ({ type }: OrderNews): boolean =>
  type === 'SellerShareReleased' || type === 'PayoutFailed';

const isDisputed = ({ openDisputes, paymentReference }: Order): boolean =>
  openDisputes.some(({ reference }) => reference === paymentReference);

function textOf(
  event: OrderNews,
  { sellerId, lines }: SellerPart,
): Pick<NotificationDocument, 'message' | 'told'> {
  if (event.type === 'PaymentVerified') return { message: noticeMessage(lines), told: 'New order' };
  const told =
    saleText(event) + (event.type === 'PaymentRestored' ? restoredText(event, sellerId) : '');
  return { message: `${told}: ${lines.map(({ name }) => name).join(', ')}`, told };
}

/** What a payment that came back means to a seller, as the rest of the sentence. */
function restoredText(event: Restored, sellerId: string): string {
  const share = restoredTo(event, sellerId);
  if (share === undefined) return '';
  const how = isHeldAgain(share) ? 'held for you' : 'payable to you';
  return `, and ${formatNaira(share.amount)} is ${how} again`;
}

/** Adds unread notices of a seller. */
function notices(
  sellerId: string,
  contents: readonly NoticeContent[],
  { position, at: createdAt }: Fact<unknown>,
  documents: Loaded<NotificationsCollections>,
): readonly Change<NotificationsCollections>[] {
  const inbox = inboxOf(sellerId, documents);
  const { clearedUpTo } = inbox;
  // The event came late, from a parked stream: the seller has already cleared beyond it.
  if (clearedUpTo !== null && position <= clearedUpTo) return [];
  return [
    ...contents.map((each) =>
      put('items', noticeId(sellerId, each.eventId), { ...each, sellerId, position, createdAt }),
    ),
    put('inboxes', sellerId, { ...inbox, unread: inbox.unread + contents.length }),
  ];
}

function linesOf(lines: readonly OrderLine[], sellerId: string) {
  return lines
    .filter((line) => line.sellerId === sellerId)
    .map(({ productId, name, quantity, image }) => ({ productId, name, quantity, image }));
}
