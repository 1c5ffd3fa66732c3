import {
  type ActDocument,
  timeline as model,
  type TimelineCollections,
  type TimelineKind,
  type TimelineOrderDocument,
} from '@oja/contracts/models';
import {
  type EventOf,
  formatNaira,
  isOperator,
  listingEvents,
  OPERATOR,
  sellerEvents,
  transactionEvents,
} from '@oja/domain';
import type { Loaded } from '../runner/projection.js';
import { define, put } from './define.js';
import { formatPieces, orderText } from './order-text.js';

const {
  BusinessNameForgone: _,
  SellerEmailAsked: __,
  SellerEmailMistyped: ___,
  ...ofSellers
} = sellerEvents;
// Stock events are left out: the orders that cause them are shown.
const schemas = { ...listingEvents, ...ofSellers, ...transactionEvents };
type TimelineEvent = EventOf<typeof schemas>;

/** The events whose texts say what is only in earlier events of the order. */
const readsOrder = [
  'PaymentVerified',
  'PaymentMismatched',
  'RefundCompleted',
  'RefundUndone',
  'RefundFailed',
] as const;

/** Hides an operator's name, since sellers read timelines too. Admins see it in the list of acts. */
const publicActor = (actor: string): string => (isOperator(actor) ? OPERATOR : actor);

/** What happened to an order, a product or a seller, as text for people. Never contains a personal value. */
export const timeline = define<TimelineCollections>()({
  model,
  scope: 'stream',
  schemas,
  reads({ event }) {
    if (isOrderReader(event)) return [{ collection: 'orders', id: event.data.transactionId }];
    const { type, data } = event;
    return type === 'SellerShareReleased' || type === 'RefundRequested'
      ? [{ collection: 'acts', where: { field: 'subject', value: data.transactionId } }]
      : [];
  },
  project({ event, id, position, at, actor }, documents) {
    const order = orderOf(event, documents);
    const text = textOf(event, currencyOf(event, order));
    const mentions = timelinesOf(event).map(([kind, subject]) => ({ kind, subject, text }));
    if (event.type === 'PaymentVerified') mentions.push(...orderedFrom(order?.lines ?? []));
    const entries = mentions.map(({ kind, subject, text }) =>
      put('entries', `${kind}/${subject}/${id}`, {
        kind,
        subject,
        eventId: id,
        type: event.type,
        position,
        at,
        actor: publicActor(actor),
        text,
      }),
    );
    const [first] = entries;
    const act = toAct(event, actor);
    if (act !== null && first !== undefined)
      return [...entries, put('acts', id, { ...first.document, actor, ...act })];
    if (event.type === 'SellerShareReleased' || event.type === 'RefundRequested')
      return [...entries, ...settledBy(event.data, documents)];
    if (event.type === 'PaymentMismatched' && order !== null && event.data.currency !== 'NGN') {
      const { transactionId, refundId, currency } = event.data;
      const foreignRefunds = [...order.foreignRefunds, { refundId, currency }];
      return [...entries, put('orders', transactionId, { ...order, foreignRefunds })];
    }
    if (event.type !== 'OrderPlaced') return entries;
    const lines = event.data.lines.map(({ productId, sellerId, quantity, unitPrice }) => ({
      productId,
      sellerId,
      quantity,
      price: unitPrice * quantity,
    }));
    return [...entries, put('orders', event.data.transactionId, { lines, foreignRefunds: [] })];
  },
});

type OrderReader = Extract<TimelineEvent, { readonly type: (typeof readsOrder)[number] }>;

const isOrderReader = (event: TimelineEvent): event is OrderReader =>
  readsOrder.some((type) => type === event.type);

/** The order that the event's texts need; null if they need none. */
const orderOf = (event: TimelineEvent, documents: Loaded<TimelineCollections>) =>
  isOrderReader(event) ? documents.get('orders', event.data.transactionId) : null;

/** The currency of a refund. Only a payment that is held aside can have another than the naira. */
function currencyOf({ data }: TimelineEvent, order: TimelineOrderDocument | null): string {
  const known = order?.foreignRefunds.find(
    ({ refundId }) => 'refundId' in data && data.refundId === refundId,
  );
  return known?.currency ?? 'NGN';
}

type Act = Pick<ActDocument, 'act' | 'sellerId' | 'amount'> & { readonly text?: string };

const noMoney = { sellerId: null, amount: null };

/**
 * What admins and operators do to somebody or with their money, for a separate list that can be
 * reviewed; else null.
 */
function toAct(event: TimelineEvent, actor: string): Act | null {
  switch (event.type) {
    case 'SellerSuspended':
    case 'SellerReinstated':
      return { act: 'suspension', ...noMoney };
    case 'SubAdminGranted':
    case 'SubAdminRevoked':
    case 'HeadAdminGranted':
    case 'HeadAdminRevoked':
      return { act: 'admin', ...noMoney };
    case 'BuyerRecordRemoved':
      return { act: 'record', ...noMoney };
    case 'DisputeResolved':
      return { act: 'dispute', sellerId: event.data.sellerId, amount: null };
    case 'PayoutCompleted':
      return isOperator(actor) ? byHand(event.data, 'Recorded as paid') : null;
    case 'PayoutFailed':
      return isOperator(actor)
        ? byHand(event.data, event.data.givenUp ? 'Transfer given up' : 'Payout ended')
        : null;
    default:
      return null;
  }
}

interface Payout {
  readonly sellerId: string;
  readonly amount: number;
  readonly reason?: string | undefined;
}

/** Only for payouts ended by an operator: what the provider reports by itself is nobody's act. */
const byHand = ({ sellerId, amount, reason }: Payout, what: string): Act => ({
  act: 'payout',
  sellerId,
  amount,
  text: reason === undefined ? what : `${what}: ${reason}`,
});

type Settlement = Extract<
  TimelineEvent,
  { readonly type: 'SellerShareReleased' | 'RefundRequested' }
>['data'];

/** Fills in the amount of a settled dispute, which is in the event that follows it. */
function settledBy(
  { transactionId, sellerId, amount }: Settlement,
  documents: Loaded<TimelineCollections>,
) {
  return documents
    .find('acts', 'subject', transactionId)
    .filter(({ document }) => document.act === 'dispute' && document.sellerId === sellerId)
    .filter(({ document }) => document.amount === null)
    .map(({ id, document }) => put('acts', id, { ...document, amount }));
}

/** The subjects whose timelines show the event. */
function timelinesOf({ data }: TimelineEvent): readonly (readonly [TimelineKind, string])[] {
  const subjects: (readonly [TimelineKind, string])[] = [];
  if ('transactionId' in data) subjects.push(['transaction', data.transactionId]);
  if ('productId' in data) subjects.push(['product', data.productId]);
  if ('sellerId' in data && data.sellerId !== null) subjects.push(['seller', data.sellerId]);
  if ('sellerIds' in data) for (const seller of data.sellerIds) subjects.push(['seller', seller]);
  return subjects;
}

type OrderedLine = TimelineOrderDocument['lines'][number];

/** The entries of a paid order: each product and each seller is told only of their own part. */
function orderedFrom(lines: readonly OrderedLine[]) {
  const own = (kind: TimelineKind, subjectOf: (line: OrderedLine) => string) =>
    [...new Set(lines.map(subjectOf))].map((subject) => ({
      kind,
      subject,
      text: ordered(lines.filter((line) => subjectOf(line) === subject)),
    }));
  return [
    ...own('product', ({ productId }) => productId),
    ...own('seller', ({ sellerId }) => sellerId),
  ];
}

function ordered(lines: readonly OrderedLine[]): string {
  const price = lines.reduce((sum, line) => sum + line.price, 0);
  return `Ordered: ${formatPieces(lines)} for ${formatNaira(price)}`;
}

/** `currency`: of a refund. */
function textOf(event: TimelineEvent, currency: string): string {
  switch (event.type) {
    case 'ProductListed':
      return `Listed '${event.data.name}' for ${formatNaira(event.data.price)}`;
    case 'ProductUpdated':
      return updated(event.data);
    case 'ProductMadeUnavailable':
      return 'Made unavailable';
    case 'ProductMadeAvailable':
      return 'Made available';
    case 'ProductRemoved':
      return 'Removed';
    case 'SellerRegistered':
      return `Registered as '${event.data.businessName}'`;
    case 'SellerProfileUpdated':
      return `Profile updated; the business name is '${event.data.businessName}'`;
    case 'SellerSuspended':
      return 'Suspended';
    case 'SellerReinstated':
      return 'Active again';
    case 'SubAdminGranted':
      return 'Made an admin';
    case 'SubAdminRevoked':
      return 'No longer an admin';
    case 'HeadAdminGranted':
      return 'Made the head admin';
    case 'HeadAdminRevoked':
      return 'No longer the head admin';
    case 'PayoutAccountSet':
      return 'Payout account set';
    case 'SellerPasswordChanged':
      return 'Password changed';
    case 'SellerPasswordReset':
      return 'A one-time password was given';
    case 'SellerEmailConfirmed':
      return 'The address for letters was confirmed';
    case 'SellerEmailRemoved':
      return 'The address for letters was removed';
    case 'SellerLettersSwitched':
      return event.data.on ? 'Letters switched on' : 'Letters switched off';
    default:
      return orderText(event, currency);
  }
}

function updated({ price, productId: _, sellerId: __, ...rest }: ProductChange): string {
  const fields = Object.keys(rest).filter((field) => field !== 'priceKind');
  const parts = [
    ...(price === undefined ? [] : [`the price is ${formatNaira(price)}`]),
    ...(fields.length === 0 ? [] : [`changed: ${fields.join(', ')}`]),
  ];
  return `Updated; ${parts.join('; ')}`;
}

type ProductChange = Extract<TimelineEvent, { readonly type: 'ProductUpdated' }>['data'];
