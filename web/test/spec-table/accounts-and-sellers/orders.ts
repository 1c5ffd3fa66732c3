import { sale } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, count, failure, press } from '../ways.js';

const ORDERS = 'GET /v1/user/orders';
const ORDER = 'GET /v1/user/orders/:transactionId';
const orders = at('/dashboard/orders', asSeller);
const order = at(`/dashboard/orders/${sale.transaction_id}`, asSeller);

const stands = (status: typeof sale.status) => (stage: Stage) =>
  stage.answers(ORDER, 200, { success: true, result: { ...sale, status, history: [] } });

export const sellersOrders: readonly Row[] = [
  orders('its title', 'Orders', 'heading'),
  orders('an order, its short number', /7F0C2A9E/, 'heading'),
  orders('an order, its goods', /Canvas sneakers/),
  orders('an order, a picture of its goods', 1, count('.order-goods img')),
  orders('an order, what the seller gets', '₦20,000'),
  orders('an order, its state', 'Paid', 'text'),
  orders('an order, what to do now', /Oja collects from you/),
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
      const { status, find } = stage.asked(ORDERS)[0]?.query ?? {};
      return `${status} ${find}`;
    },
  ),
  orders('none', 'No orders yet', 'heading', (stage) =>
    stage.answers(ORDERS, 200, {
      success: true,
      result: [],
      total: 0,
      counts: { held: 0, disputed: 0, released: 0, 'paid-out': 0, refunded: 0 },
      nextCursor: null,
    }),
  ),
  orders('it cannot be read', 'Try again', 'button', (stage) =>
    stage.answers(ORDERS, 400, failure()),
  ),

  order('its title', /Order 7F0C2A9E/, 'heading'),
  order('what to do now, paid', /Oja collects from you/),
  order('what happened', 'Ordered and paid: 2 pieces'),
  order('a slip for the parcel', 'Print hand-over slip', 'button'),
  order('what to do now, in dispute', /Oja looks into it/, 'text', stands('disputed')),
  order('what to do now, refunded', /Do not hand it over/, 'text', stands('refunded')),
  order('delivered, and no bank known', 'Add bank details', 'link', stands('released')),
  order('delivered: no slip any more', 'Print hand-over slip', 'absent', stands('released')),
  order('of another seller', 'There is no such order of yours', 'heading', (stage) =>
    stage.answers(ORDER, 404, failure()),
  ),
];
