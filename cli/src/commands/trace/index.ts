import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { formatNaira, receivedStatus, streamNames } from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import { createSealer, eachDocument } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { type AppContext, withContext } from '../../runtime/context.js';
import { failedExit, usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import {
  formatTable,
  type Output,
  paint,
  plural,
  printAnswer,
  wrapLines,
} from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { withoutMilliseconds } from '../../terminal/times.js';
import { findOrder, hintOf, knownIds, orderWithId, type PlacedOrder } from '../shared/orders.js';
import { type FoundSeller, findSeller, knownNames } from '../shared/sellers.js';
import { waitOrNote } from '../shared/wait-for-models.js';
import { type Story, type StoryEntry, storyOf } from './story.js';
import { type Wait, waitsOf } from './waits.js';

/** The orders of a store or a buyer, to choose from. */
type Listed = Extract<Answer<'trace'>, { readonly orders: unknown }>;
/** One order of the list, with what a person needs to choose. */
type ListedOrder = Listed['orders'][number];

const payments = {
  success: 'paid',
  pending: 'not paid',
  expired: 'expired',
  reversed: 'taken back',
} as const satisfies Record<TransactionDocument['status'], ListedOrder['payment']>;

const listed = (document: TransactionDocument): ListedOrder => ({
  transactionId: document.transactionId,
  number: orderNumber(document.transactionId),
  placedAt: document.placedAt,
  amount: document.amount,
  payment: payments[document.status],
  received: document.received,
  sellers: document.shares.map(({ businessName }) => businessName),
});

/** How many orders are checked at a time, so that their buyers' keys are fetched together. */
const BATCH = 500;

type Orders = readonly TransactionDocument[];

/**
 * The newest wanted orders, at most `most`. Reads the orders one after the other, because no index leads to these. Where
 * their read model cannot follow the log, a note says so. @throws Exit 1 when it has none of them then.
 */
async function newest(
  context: AppContext,
  most: number,
  wanted: (orders: Orders) => Promise<Orders>,
): Promise<Omit<Listed, 'store'>> {
  const why = await waitOrNote(context, transactions, interruptSignal());
  const found = await newestKnown(context, most, wanted);
  if (why !== null && found.orders.length === 0)
    throw failedExit('No such order is known so far; there may be some.');
  return found;
}

async function newestKnown(
  { engines, readModels }: AppContext,
  most: number,
  wanted: (orders: Orders) => Promise<Orders>,
): Promise<Omit<Listed, 'store'>> {
  if ((await readModels.checkpointOf(transactions)) === null) return { orders: [], isCut: false };
  const { documents } = engines;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const total = await documents.count(collection, []);
  const found: TransactionDocument[] = [];
  await withProgress('looking for orders', async (at) => {
    let batch: TransactionDocument[] = [];
    let done = 0;
    const look = async () => {
      found.push(...(await wanted(batch)));
      done += batch.length;
      batch = [];
      at(done, total);
    };
    const sort = [{ field: 'placedAt', order: 'desc' }] as const;
    for await (const { document } of eachDocument<TransactionDocument>(documents, collection, {
      sort,
    })) {
      batch.push(document);
      if (batch.length === BATCH) await look();
      if (found.length > most) return;
    }
    await look();
  });
  return { orders: found.slice(0, most).map(listed), isCut: found.length > most };
}

const storeFilter =
  ({ sellerId }: FoundSeller) =>
  async (orders: Orders): Promise<Orders> =>
    orders.filter(({ shares }) => shares.some((share) => share.sellerId === sellerId));

/** Keeps the orders with this address. Addresses are sealed under each buyer's key, so erased buyers are not found. */
function buyerFilter({ engines }: AppContext, email: string) {
  const sealer = createSealer(engines.keys);
  return async (orders: Orders): Promise<Orders> => {
    const kept = orders.filter(({ removed }) => !removed);
    const opened = await sealer.openMany(
      kept.map(({ transactionId, buyer }) => ({
        stream: streamNames.transaction(transactionId),
        field: 'email',
        value: buyer.email,
      })),
    );
    return kept.filter((_, i) => opened[i]?.toLowerCase() === email.toLowerCase());
  };
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/**
 * Finds an order by its id, number or reference; or the newest orders of a store (by its name or id) or of a buyer (by
 * their e-mail address), at least one and at most `most`. @throws Exit 2 when there is none.
 */
async function findOrders(
  context: AppContext,
  text: string,
  most: number,
): Promise<PlacedOrder | Listed> {
  const typed = text.trim();
  if (EMAIL.test(typed)) {
    const found = await newest(context, most, buyerFilter(context, typed));
    if (found.orders.length > 0) return { store: null, ...found };
    const why = 'Buyers who were erased are not found.';
    throw usageExit(`No order has this e-mail address. ${why}`);
  }
  const order = await findOrder(context, typed);
  if (order !== null) return order;
  const store = await findSeller(context, typed);
  if (store === null) {
    const hint = hintOf(typed, [...(await knownIds(context)), ...(await knownNames(context))]);
    throw usageExit(`There is no order and no store '${typed}'${hint}.`);
  }
  const found = await newest(context, most, storeFilter(store));
  if (found.orders.length > 0) return { store, ...found };
  throw usageExit(`Nobody has ordered from ${store.businessName} yet.`);
}

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
    received: receivedStatus(order.shares),
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
  ...wrapLines(
    `${withoutMilliseconds(time)}  ${source === 'log' ? '' : `${source}: `}${what}${who === null ? '' : ` by ${who}`}`,
  ),
  ...(details === '' ? [] : wrapLines(details, '    ')),
  ...(requestId === null ? [] : wrapLines(`request ${requestId}`, '    ').map(paint.dim)),
  ...(traceId === null ? [] : wrapLines(`trace ${traceId}`, '    ').map(paint.dim)),
];

const linesOfWait = ({ who, what, due, command }: Wait): readonly string[] => [
  ...wrapLines(`${who}: ${what}${due === null ? '' : ` (${withoutMilliseconds(due)})`}`, '  '),
  // Never wrapped, because it is copied.
  ...(command === null ? [] : [`      ${command}`]),
];

async function showStory(context: AppContext, found: PlacedOrder, options: Output): Promise<void> {
  const order = summaryOf(found);
  const story = await storyOf(context, found);
  const waits = await waitsOf(context, found);
  printAnswer<'trace'>(options, { order, story, waits }, () => [
    ...wrapLines(
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
  printAnswer<'trace'>(options, { store, orders, isCut }, () => [
    `${isCut ? 'The' : 'All'} ${plural(orders.length, isCut ? 'newest order' : 'order')} of ${whose}:`,
    ...formatTable([
      ['NUMBER', 'PLACED', 'SUM', 'PAYMENT', 'RECEIVED'],
      ...orders.map(({ number, placedAt, amount, payment, received }) => [
        number,
        withoutMilliseconds(placedAt),
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
      const found = await findOrders(context, text, options.lines);
      if (!('orders' in found)) return showStory(context, found, options);
      const [only, ...others] = found.orders;
      if (only === undefined || others.length > 0 || found.isCut) list(found, options);
      else await showStory(context, await orderWithId(context, only.transactionId), options);
    },
    { mayBeMoved: true },
  );
}
