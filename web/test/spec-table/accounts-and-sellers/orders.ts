import { settings } from '../answers.js';
import { payout, sale, sold } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, count, failure, press } from '../steps.js';

const ORDERS = 'GET /v1/user/orders';
const ORDER = 'GET /v1/user/orders/:transactionId';
const orders = at('/dashboard/orders', asSeller);
const order = at(`/dashboard/orders/${sale.transaction_id}`, asSeller);

const sales = at('/dashboard/sales', asSeller);
const payouts = at('/dashboard/sales?view=payouts', asSeller);
const SALES = 'GET /v1/user/sales';
const PAYOUTS = 'GET /v1/user/payouts';

const stoodAs = (change: Partial<typeof payout>) => (stage: Stage) =>
  stage.answers(PAYOUTS, 200, {
    success: true,
    result: [{ ...payout, ...change }],
    paid_out: { month: 0, year: 0, all: 0 },
    nextCursor: null,
  });

const stands =
  (status: typeof sale.status, more: Partial<typeof sale> = {}) =>
  (stage: Stage) =>
    stage.answers(ORDER, 200, { success: true, result: { ...sale, status, ...more, history: [] } });

const stood = (status: typeof sale.status) => (stage: Stage) =>
  stage.answers(ORDERS, 200, {
    success: true,
    result: [{ ...sale, status }],
    total: 1,
    counts: { held: 0, disputed: 0, released: 0, 'paid-out': 0, refunded: 0, [status]: 1 },
    to_hand_over: status === 'held' ? 1 : 0,
    nextCursor: null,
  });
const goesOn = (stage: Stage) =>
  stage.answers(ORDERS, 200, {
    success: true,
    result: [sale],
    total: 61,
    counts: { held: 61, disputed: 0, released: 0, 'paid-out': 0, refunded: 0 },
    to_hand_over: 61,
    nextCursor: 'next',
  });

const isBrought = (stage: Stage) =>
  stage.answers('GET /v1/settings', 200, { ...settings, dropOffAddress: '4 Broad Street, Lagos' });

export const sellersOrders: readonly Row[] = [
  at('/dashboard/orders/no%20id', asSeller)(
    'an id that no order can have',
    'There is no such order of yours',
    'heading',
    (stage) => stage.answers(ORDER, 400, failure('transactionId is not an id')),
  ),
  orders('its title', 'Orders', 'heading'),
  orders('an order, its short number', /7F0C2A9E/, 'heading'),
  orders('an order, its goods', /Canvas sneakers/),
  orders('an order, a picture of its goods', 1, count('.order-goods img')),
  orders('an order, what the seller gets', '₦20,000'),
  orders('an order, for how many pieces', 'You get, for 2 pieces'),
  orders('an order, its state', 'Paid', 'text'),
  orders('paid out, its state', 'Paid out', 'text', stood('paid-out')),
  orders(
    'paid out, what to do now',
    /^Nothing more to do\. .* was sent\.$/,
    'text',
    stood('paid-out'),
  ),
  orders('delivered, its state', 'Delivered', 'text', stood('released')),
  orders('none to hand over', 'Nothing to hand over now', 'status', stood('released')),
  orders('more than a page', 'Older orders', 'button', goesOn),
  orders('an order, what to do now', /Oja collects from you/),
  orders(
    'an order, what to do now where goods are brought to Oja',
    /Bring it to 4 Broad Street, Lagos\./,
    'text',
    isBrought,
  ),
  orders('orders to hand over', '1 to hand over'),
  orders('as it opens', 'CSV', 'button'),
  orders(
    'an order pressed',
    `/dashboard/orders/${sale.transaction_id}`,
    'address',
    press(/7F0C2A9E/),
  ),
  at('/dashboard/orders?status=released&find=sneakers', asSeller)(
    'state and words in the address: what is asked',
    'released sneakers',
    (stage) => {
      const { status, find } = stage.callsTo(ORDERS)[0]?.query ?? {};
      return `${status} ${find}`;
    },
  ),
  orders('none', 'No orders yet', 'heading', (stage) =>
    stage.answers(ORDERS, 200, {
      success: true,
      result: [],
      total: 0,
      counts: { held: 0, disputed: 0, released: 0, 'paid-out': 0, refunded: 0 },
      to_hand_over: 0,
      nextCursor: null,
    }),
  ),
  orders('it cannot be read', 'Try again', 'button', (stage) =>
    stage.answers(ORDERS, 400, failure()),
  ),

  order('its title', /Order 7F0C2A9E/, 'heading'),
  order('what to do now, paid', /Oja collects from you/),
  order('what to do now where goods are brought to Oja', /Bring it to 4 Broad/, 'text', isBrought),
  order('what happened', 'Ordered and paid: 2 pieces'),
  order('a slip for the parcel', 'Print hand-over slip', 'button'),
  order('what to do now, in dispute', /Oja is looking into it/, 'text', stands('disputed')),
  order('what to do now, delivered', /money is payable/, 'text', stands('released')),
  order(
    'what to do now, delivered and disputed by the bank',
    /paid out once that is settled, .*Keep any proof/,
    'text',
    stands('released', { bank_disputed: true }),
  ),
  order(
    'what to do now, paid and disputed by the bank',
    /^Pack it .*Oja collects from you\. .*keep any proof/,
    'text',
    stands('held', { bank_disputed: true }),
  ),
  order('what to do now, paid out', /money was sent/, 'text', stands('paid-out')),
  order('its goods', '2 pieces in this order', 'heading'),
  order('what to do now, refunded', /Do not hand it over/, 'text', stands('refunded')),
  order('delivered, and no bank known', 'Add bank details', 'link', stands('released')),
  order('delivered: no slip any more', 'Print hand-over slip', 'absent', stands('released')),
  orders('the way to sales and payouts', 'Sales and payouts', 'link'),
  sales('its title', 'Sales', 'heading'),
  sales('what was sold', '₦32,000'),
  sales('of how many orders', 'in 2 orders', 'text'),
  sales(
    'the days as a picture, told in words',
    'Sold by day: ₦32,000 in 2 orders. The best day was 21 Nov with ₦20,000.',
    (stage) => stage.find('svg[role=img]')[0]?.getAttribute('aria-label') ?? '',
  ),
  sales('how it is counted', /What went back to a buyer is not counted/),
  sales('the figures, for who does not see the picture', 'Nothing was sold on any other day.'),
  sales('the best-selling product, its pieces', '2 pieces', 'text'),
  sales('the way to the payouts', 'Payouts', 'link'),
  at('/dashboard/sales?period=12-months', asSeller)(
    'a period in the address: what is asked',
    '12-months',
    (stage) => stage.callsTo(SALES)[0]?.query.period ?? '',
  ),
  at('/dashboard/sales?period=12-months', asSeller)('by the month', 'Month', 'text', (stage) =>
    stage.answers(SALES, 200, {
      success: true,
      result: { ...sold, steps: [{ from: '2026-11-01', orders: 2, sum: 32_000 }] },
    }),
  ),
  sales('nothing sold', 'Nothing sold in this period', 'heading', (stage) =>
    stage.answers(SALES, 200, {
      success: true,
      result: { ...sold, sum: 0, orders: 0, products: [] },
    }),
  ),
  sales('it cannot be read', 'Try again', 'button', (stage) =>
    stage.answers(SALES, 400, failure()),
  ),

  payouts('its title', 'Payouts', 'heading'),
  payouts('paid out this month', '₦20,000'),
  payouts('paid out this year', '₦25,000'),
  payouts('paid out in all', '₦31,000'),
  payouts('a payout, its state', 'Sent', 'text'),
  payouts('a payout, its order', '7F0C2A9E', 'link'),
  payouts(
    'its order pressed',
    `/dashboard/orders/${payout.transaction_id}`,
    'address',
    press(/7F0C2A9E/),
  ),
  payouts('as it opens', 'CSV', 'button'),
  payouts('no bank known', 'Add bank details', 'link'),
  payouts('where it goes, no more than its end', /ends in 6789\./, 'text', (stage) =>
    stage.answers('GET /v1/user/payout-account', 200, {
      success: true,
      account: { account_name: 'Ifeanyi Eze', account_number: '0123456789', bank_code: '058' },
    }),
  ),
  payouts('a payout, where it went', 'Sent to Zenith Bank, account that ends in 6789', 'text'),
  payouts(
    'one on its way, where it goes',
    'To Zenith Bank, account that ends in 6789',
    'text',
    stoodAs({ status: 'on-its-way', ended_at: null }),
  ),
  payouts(
    'one that failed, why',
    'Your bank refused it. Check your bank details: Oja will pay again.',
    'text',
    stoodAs({ status: 'failed', reason: 'bank', owed: true }),
  ),
  payouts(
    'one that failed, and was paid since',
    'Your bank refused it.',
    'text',
    stoodAs({ status: 'failed', reason: 'bank' }),
  ),
  payouts(
    'one that came back',
    'Came back',
    'text',
    stoodAs({ status: 'came-back', reason: 'bank' }),
  ),
  payouts(
    'one on its way',
    'On its way',
    'text',
    stoodAs({ status: 'on-its-way', ended_at: null }),
  ),
  payouts('more than a page', 'Older payouts', 'button', (stage) =>
    stage.answers(PAYOUTS, 200, {
      success: true,
      result: [payout],
      paid_out: { month: 20_000, year: 25_000, all: 31_000 },
      nextCursor: 'next',
    }),
  ),
  payouts('none', 'No payouts yet', 'heading', (stage) =>
    stage.answers(PAYOUTS, 200, {
      success: true,
      result: [],
      paid_out: { month: 0, year: 0, all: 0 },
      nextCursor: null,
    }),
  ),
  payouts('it cannot be read', 'Try again', 'button', (stage) =>
    stage.answers(PAYOUTS, 400, failure()),
  ),

  order('of another seller', 'There is no such order of yours', 'heading', (stage) =>
    stage.answers(ORDER, 404, failure()),
  ),
];
