import { HttpResponse, http } from 'msw';
import type { Order } from '../src/api/types.js';

export const ORDER_ID = '10aad119-55ff-5003-b2be-e166dd5e1668';
export const ORDER_KEY = `${ORDER_ID}.nGE_pNcrqFN0pQUszHEvPA`;

/** A paid order of two sellers, as the holder of its key sees it. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    transactionId: ORDER_KEY,
    status: 'success',
    recieved: 'PENDING',
    amount: 39_100,
    delivery_fee: 0,
    created_at: '2026-11-21T09:00:00.000Z',
    paid_at: '2026-11-21T09:05:00.000Z',
    lines: [
      {
        product_id: 'p1',
        user_id: 's1',
        businessName: 'Adunni Textiles',
        prod_name: 'Adire eleko cotton',
        image_url: 'http://localhost/v1/image/adire.webp',
        quantity: 2,
        price: 17_250,
      },
      {
        product_id: 'p2',
        user_id: 's2',
        businessName: 'Glow by Bisi',
        prod_name: 'Black soap',
        image_url: 'http://localhost/v1/image/soap.webp',
        quantity: 1,
        price: 4_600,
      },
    ],
    shares: [
      { user_id: 's1', businessName: 'Adunni Textiles', share: 34_500, status: 'held' },
      { user_id: 's2', businessName: 'Glow by Bisi', share: 4_600, status: 'held' },
    ],
    email_hint: 'n•••@example.com',
    may_report_problem: false,
    report_from: '2026-11-23T09:05:00.000Z',
    ...change,
  };
}

/** Answers for each order by its key, and that there is no other. `asked` gets the keys that were asked for. */
export const answersFor = (orders: ReadonlyMap<string, Order>, asked: string[] = []) =>
  http.get('*/v1/orders/:key', ({ params }) => {
    asked.push(String(params.key));
    const order = orders.get(String(params.key));
    return order === undefined
      ? HttpResponse.json({ success: false, message: 'No such order' }, { status: 404 })
      : HttpResponse.json({ success: true, order });
  });
