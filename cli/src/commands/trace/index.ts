import { formatNaira, receivedStatus } from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import { withContext } from '../../runtime/context.js';
import { fitted, type Output, paint, plural, show } from '../../terminal/output.js';
import { toSecond } from '../../terminal/times.js';
import { orderNamed, type PlacedOrder } from '../shared/orders.js';
import { storyOf, type Told } from './story.js';
import { type Wait, waitsOf } from './waits.js';

const paymentOf = ({ payment, expired, reversed }: PlacedOrder) =>
  reversed ? 'taken back' : payment !== null ? 'paid' : expired ? 'expired' : 'not paid';

function summaryOf(order: PlacedOrder) {
  const { transactionId, placedAt, amount, lines, shares, attempts, buyerRemoved } = order;
  return {
    transactionId,
    number: orderNumber(transactionId),
    placedAt,
    /** Kobo. */
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

const linesOfTold = ({
  time,
  source,
  what,
  who,
  requestId,
  traceId,
  details,
}: Told): readonly string[] => [
  ...fitted(
    `${toSecond(time)}  ${source === 'log' ? '' : `${source}: `}${what}${who === null ? '' : ` by ${who}`}`,
  ),
  ...(details === '' ? [] : fitted(details, '    ')),
  ...(requestId === null ? [] : fitted(`request ${requestId}`, '    ').map(paint.dim)),
  ...(traceId === null ? [] : fitted(`trace ${traceId}`, '    ').map(paint.dim)),
];

const linesOfWait = ({ who, what, due, command }: Wait): readonly string[] => [
  ...fitted(`${who}: ${what}${due === null ? '' : ` (${toSecond(due)})`}`, '  '),
  ...(command === null ? [] : fitted(command, '      ')),
];

export async function trace(text: string, options: Output): Promise<void> {
  await withContext(
    async (context) => {
      const found = await orderNamed(context, text);
      const order = summaryOf(found);
      const story = await storyOf(context, found);
      const waits = await waitsOf(context, found);
      show(options, { order, story, waits }, () => [
        ...fitted(
          `Order ${order.number} (${order.transactionId}): ${order.payment}, ${order.received}, ${formatNaira(order.amount)}, ${plural(order.goods, 'good')} of ${order.sellers.map(({ businessName }) => businessName).join(', ')}`,
        ),
        '',
        ...story.flatMap(linesOfTold),
        '',
        ...(waits.length === 0
          ? ['It waits for nobody.']
          : ['It waits for:', ...waits.flatMap(linesOfWait)]),
      ]);
    },
    { moved: true },
  );
}
