import { formatNaira, receivedStatus } from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import { type AppContext, withContext } from '../../runtime/context.js';
import { fitted, type Output, paint, plural, show, table } from '../../terminal/output.js';
import { toSecond } from '../../terminal/times.js';
import { orderWithId, type PlacedOrder } from '../shared/orders.js';
import { find, type Listed } from './find.js';
import { type Story, type StoryEntry, storyOf } from './story.js';
import { type Wait, waitsOf } from './waits.js';

type Summary = Story['order'];

const paymentOf = ({ payment, expired, reversed }: PlacedOrder): Summary['payment'] =>
  reversed ? 'taken back' : payment !== null ? 'paid' : expired ? 'expired' : 'not paid';

function summaryOf(order: PlacedOrder): Summary {
  const { transactionId, placedAt, amount, lines, shares, attempts, buyerRemoved } = order;
  return {
    transactionId,
    number: orderNumber(transactionId),
    placedAt,
    amount,
    payment: paymentOf(order),
    received: receivedStatus(order),
    references: attempts.map(({ reference }) => reference),
    goods: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    sellers: shares.map(({ sellerId, businessName, status }) => ({
      sellerId,
      businessName,
      status,
    })),
    buyerRemoved,
  };
}

const linesOfEntry = ({
  time,
  source,
  what,
  who,
  requestId,
  traceId,
  details,
}: StoryEntry): readonly string[] => [
  ...fitted(
    `${toSecond(time)}  ${source === 'log' ? '' : `${source}: `}${what}${who === null ? '' : ` by ${who}`}`,
  ),
  ...(details === '' ? [] : fitted(details, '    ')),
  ...(requestId === null ? [] : fitted(`request ${requestId}`, '    ').map(paint.dim)),
  ...(traceId === null ? [] : fitted(`trace ${traceId}`, '    ').map(paint.dim)),
];

const linesOfWait = ({ who, what, due, command }: Wait): readonly string[] => [
  ...fitted(`${who}: ${what}${due === null ? '' : ` (${toSecond(due)})`}`, '  '),
  // Never wrapped, because it is copied.
  ...(command === null ? [] : [`      ${command}`]),
];

async function showStory(context: AppContext, found: PlacedOrder, options: Output): Promise<void> {
  const order = summaryOf(found);
  const story = await storyOf(context, found);
  const waits = await waitsOf(context, found);
  show<'trace'>(options, { order, story, waits }, () => [
    ...fitted(
      `Order ${order.number} (${order.transactionId}): ${order.payment}, ${order.received}, ${formatNaira(order.amount)}, ${plural(order.goods, 'good')} of ${order.sellers.map(({ businessName }) => businessName).join(', ')}`,
    ),
    '',
    ...story.flatMap(linesOfEntry),
    '',
    ...(waits.length === 0
      ? ['It waits for nothing.']
      : ['It waits for:', ...waits.flatMap(linesOfWait)]),
  ]);
}

function list({ store, orders, isCut }: Listed, options: Output): void {
  const whose = store === null ? 'this buyer' : store.businessName;
  show<'trace'>(options, { store, orders, isCut }, () => [
    `${isCut ? 'The' : 'All'} ${plural(orders.length, isCut ? 'newest order' : 'order')} of ${whose}:`,
    ...table([
      ['NUMBER', 'PLACED', 'SUM', 'PAYMENT', 'RECEIVED'],
      ...orders.map(({ number, placedAt, amount, payment, received }) => [
        number,
        toSecond(placedAt),
        formatNaira(amount),
        payment,
        received,
      ]),
    ]),
    ...(isCut ? ['There are more: list them with a greater -n.'] : []),
    'To see one of them: oja trace <number>',
  ]);
}

export interface TraceOptions extends Output {
  /** The largest number of orders to list for a store or a buyer. */
  readonly lines: number;
}

/** Prints the story of an order; for a store or a buyer with several orders, a list to choose from. */
export async function trace(text: string, options: TraceOptions): Promise<void> {
  await withContext(
    async (context) => {
      const found = await find(context, text, options.lines);
      if (!('orders' in found)) return showStory(context, found, options);
      const [only, ...others] = found.orders;
      if (only === undefined || others.length > 0 || found.isCut) list(found, options);
      else await showStory(context, await orderWithId(context, only.transactionId), options);
    },
    { moved: true },
  );
}
