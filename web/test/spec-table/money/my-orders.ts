import { ORDER_ID, ORDER_KEY, PAID_AT, paidOrder } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { attribute, count, failure, press, sequence } from '../steps.js';

const ORDER = 'GET /v1/orders/:orderKey';
const none = at('/orders');
const page = at('/orders', (stage) => stage.paid());
const receipt = at(`/orders/${ORDER_ID}`, (stage) => stage.paid());
const stands = (change: Partial<typeof paidOrder>) => (stage: Stage) =>
  stage.answers(ORDER, 200, { success: true, order: { ...paidOrder, ...change } });
const shares = (status: 'released' | 'disputed' | 'refunded') =>
  paidOrder.shares.map((share) => ({ ...share, status }));
const orderedOften = (stage: Stage) => {
  for (let n = 0; n < 11; n += 1) stage.paid(ORDER_KEY.replace(/^7f/, String(10 + n)));
};
const unpaid = { status: 'pending', paid_at: null, report_from: null };

/** The orders that a shopper without an account has placed in this browser. */
export const myOrders: readonly Row[] = [
  at('/')('below everything', 'My orders', 'link'),
  at('/')('My orders pressed', '/orders', 'address', press('My orders')),
  at('/cart-contents/single')('nothing in it: its other way', 'My orders', 'link'),
  none('more than ten ordered', 'Older orders', 'button', orderedOften),
  none(
    'more than ten ordered, Older orders pressed',
    11,
    count('.MyOrdersPage-orders > li'),
    sequence(orderedOften, press('Older orders')),
  ),
  none('nothing ordered', 'My orders', 'heading'),
  none('nothing ordered', 'Nothing was ordered here yet', 'heading'),
  none('nothing ordered: its way on', 'Go to the market', 'link'),
  page('an order, its short number', /7F0C2A9E/, 'heading'),
  page('an order, its goods', /Canvas sneakers/),
  page('an order, pictures of its goods', 2, count('.order-goods img')),
  page('an order, its total', '₦54,050'),
  page('paid', 'Paid'),
  page(
    'paid: Confirm delivery leads to',
    `/payment/verify/delivery-confirmation#${ORDER_KEY}`,
    attribute('.MyOrdersPage-acts a', 'href'),
  ),
  page('paid: its receipt', /^Receipt/, 'link'),
  page('within 48 hours of the payment', /^Report a problem/, 'absent'),
  page(
    'from 48 hours after the payment',
    /^Report a problem/,
    'button',
    stands({ may_report_problem: true }),
  ),
  page(
    'not paid yet',
    'Waiting for payment',
    'text',
    stands({ ...unpaid, created_at: new Date().toISOString() }),
  ),
  page(
    'not paid yet: its way on',
    /^Pay/,
    'button',
    stands({ ...unpaid, created_at: new Date().toISOString() }),
  ),
  page('never paid', 'Expired', 'text', stands({ ...unpaid, status: 'expired' })),
  page(
    'delivered',
    'Delivered',
    'text',
    stands({ recieved: 'DELIVERED', delivered_at: PAID_AT, shares: shares('released') }),
  ),
  page(
    'settled by the market, without a Yes',
    'Settled',
    'text',
    stands({ recieved: 'DELIVERED', shares: shares('released') }),
  ),
  page(
    'in dispute',
    'In dispute',
    'text',
    stands({ recieved: 'DISPUTED', shares: shares('disputed') }),
  ),
  page(
    'refunded',
    'Refunded',
    'text',
    stands({ recieved: 'REFUNDED', shares: shares('refunded') }),
  ),
  page('the market does not know it', /^Take it off the list/, 'button', (stage) =>
    stage.answers(ORDER, 404, failure()),
  ),
  page('it cannot be read', /^Try again/, 'button', (stage) =>
    stage.answers(ORDER, 403, failure()),
  ),
  page('Forget pressed', /^Forget order 7F0C2A9E\?/, 'dialog', press(/^Forget on this device/)),
  page(
    'Forget pressed, and it is meant',
    'Nothing was ordered here yet',
    'heading',
    press(/^Forget on this device/, 'Forget it'),
  ),
  page(
    'forgotten: what is kept of it',
    false,
    (stage) => JSON.stringify(stage.kept('oja-orders')).includes(ORDER_KEY),
    sequence(press(/^Forget on this device/, 'Forget it'), (stage) =>
      stage.sees('Nothing was ordered here yet'),
    ),
  ),
  receipt('its title', 'Receipt', 'heading'),
  receipt('its total', '₦54,050'),
  receipt('its way to paper', 'Print', 'button'),
  receipt('its way to the mailbox', 'Send receipt to n•••@example.com', 'button'),
  receipt(
    'sent by mail',
    'Receipt sent to n•••@example.com. It may take some minutes.',
    'text',
    press('Send receipt to n•••@example.com'),
  ),
  receipt(
    'sent too often by mail',
    'The market said no',
    'text',
    sequence(
      (stage) => stage.answers('POST /v1/orders/:orderKey/receipt', 409, failure()),
      press('Send receipt to n•••@example.com'),
    ),
  ),
  receipt('of a buyer who was forgotten', /^Send receipt/, 'absent', stands({ email_hint: null })),
  at(`/orders/${ORDER_ID}`)('of another browser', 'This order is not on this device', 'heading'),
];
