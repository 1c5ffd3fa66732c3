import { setDeliveryStatus } from '../../../src/stores/orders.js';
import { ORDER_KEY, PAID_AT, paidOrder } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { press, sequence, storedValue, texts } from '../steps.js';

const CONFIRM = 'PUT /v1/buyers/transactions/:transactionId';
const page = at('/payment/verify/delivery-confirmation', (stage) => stage.paid());
const receipt = at(`/payment/verify/delivery-confirmation#${ORDER_KEY}`);

const ticked = texts('.Stepper-done');
const stands = (
  stage: Stage,
  recieved: typeof paidOrder.recieved,
  status: (typeof paidOrder.shares)[number]['status'],
) =>
  stage.answers('GET /v1/orders/:orderKey', 200, {
    success: true,
    order: {
      ...paidOrder,
      recieved,
      ...(recieved === 'DELIVERED' && { delivered_at: PAID_AT }),
      shares: paidOrder.shares.map((share) => ({ ...share, status })),
    },
  });

export const delivery: readonly Row[] = [
  page('with a paid order', 'Have you received the product?', 'heading'),
  page('with a paid order', 'Yes', 'button'),
  page('with a paid order', 'No', 'button'),
  page('with a paid order: the steps that are ticked', 'Order, Pay', ticked),
  page('delivered: the steps that are ticked', 'Order, Pay, Deliver, Confirm', ticked, (stage) =>
    stands(stage, 'DELIVERED', 'released'),
  ),
  page('refunded: its steps', 0, {
    measure: async (stage) => {
      stands(stage, 'REFUNDED', 'refunded');
      await stage.sees('Your money was given back', 'heading');
      return stage.find('ol[aria-label="Order steps"]').length;
    },
  }),
  receipt('by the link of the receipt', 'Have you received the product?', 'heading'),
  page(
    'Yes pressed: what is confirmed',
    ORDER_KEY,
    (stage) => stage.callsTo(CONFIRM)[0]?.params.transactionId,
    press('Yes'),
  ),
  page('Yes pressed', '/', 'address', press('Yes')),
  page(
    'Yes pressed: the status',
    'AVAILABLE',
    storedValue('status'),
    sequence(() => setDeliveryStatus('Pending'), press('Yes')),
  ),
  page('Yes pressed: the bell', 'Confirm your delivery', 'absent', async (stage) => {
    await stage.press('Yes');
    await stage.sees('Delivery confirmed', 'toast');
  }),
  page('No pressed', '/', 'address', press('No')),
  page('No pressed: the status', 'Pending', storedValue('status'), press('No')),
  page('No pressed', 'Failed', 'toast', press('No')),
  page('No pressed', 'Product not delivered!!!!', 'toast', press('No')),
  page('No pressed: the bell', 'Confirm your delivery', 'link', press('No')),
  page('No pressed: confirmations sent', 0, {
    measure: async (stage: Stage) => {
      await stage.press('No');
      await stage.sees('Failed', 'toast');
      return stage.callsTo(CONFIRM).length;
    },
  }),
  page('ms that the toast after No stays', 3_000, {
    measure: async (stage) => {
      await stage.sees('No', 'button');
      await stage.stopClock();
      await stage.press('No');
      return stage.msOfToast('Product not delivered!!!!');
    },
  }),
  page('within 48 hours of the payment', 'Report a problem', 'absent'),
  page('from 48 hours after the payment', 'Report a problem', 'button', (stage) =>
    stage.answers('GET /v1/orders/:orderKey', 200, {
      success: true,
      order: { ...paidOrder, may_report_problem: true },
    }),
  ),
];
