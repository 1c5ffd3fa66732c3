import type {
  Notification,
  Order,
  OrderLine,
  Payout,
  Sale,
  SoldInPeriod,
  Transaction,
} from '@oja/contracts';
import { catalogue, watch } from './goods.js';

/** The order key opens the order to its buyer: id and secret. */
export const ORDER_ID = '7f0c2a9e-5b1d-4c3e-9a86-1f2e3d4c5b6a';
export const ORDER_KEY = `${ORDER_ID}.AbCdEfGhIjKlMnOpQrStUv`;
export const PAID_AT = '2026-11-21T09:05:07.000Z';

function lineOf(productId: string, quantity: number): OrderLine {
  const product = catalogue.find((one) => one.product_id === productId) ?? watch;
  const { product_id, user_id, businessName, prod_name, price } = product;
  const image_url = product.image_urls[0] ?? '';
  return { product_id, user_id, businessName, prod_name, price, image_url, quantity };
}

const lines = [lineOf('p1', 1), lineOf('p4', 2)];
const shares: Order['shares'] = [
  { user_id: 's1', businessName: 'Musa & Sons Watches', share: 27_000, status: 'held' },
  { user_id: 's7', businessName: 'Coal City Footwear', share: 20_000, status: 'held' },
];

export const paidOrder: Order = {
  transactionId: ORDER_KEY,
  status: 'success',
  recieved: 'PENDING',
  amount: 54_050,
  delivery_fee: 0,
  created_at: '2026-11-21T09:00:00.000Z',
  paid_at: PAID_AT,
  lines,
  shares,
  email_hint: 'n•••@example.com',
  may_report_problem: false,
  report_from: '2026-11-23T09:05:07.000Z',
};

export const transaction: Transaction = {
  transaction_id: ORDER_ID,
  buyer_id: 'b1',
  status: 'success',
  reference: ORDER_ID,
  amount: 54_050,
  delivery_fee: 0,
  paid_at: PAID_AT,
  created_at: '2026-11-21T09:00:00.000Z',
  currency: 'NGN',
  channel: 'card',
  buyer_name: 'Ngozi Obi',
  email: 'ngozi@example.com',
  home_address: '12 Allen Avenue, Ikeja',
  phone_number: '08034127765',
  recieved: 'PENDING',
  product_ids: 'p1,p4',
  quantities: '1,2',
  prices: '31050,11500',
  user_ids: 's1,s7',
  lines,
  shares,
};
/** What Coal City Footwear sees of the order above. */
export const sale: Sale = {
  transaction_id: ORDER_ID,
  number: '7F0C2A9E',
  paid_at: PAID_AT,
  status: 'held',
  share: 20_000,
  items: [
    {
      product_id: 'p4',
      prod_name: 'Canvas sneakers',
      image_url: 'http://localhost/v1/image/shoe.webp',
      quantity: 2,
    },
  ],
};

/** The payout from that order. */
export const payout: Payout = {
  payout_id: `${ORDER_ID}_0_0`,
  account: { ends_in: '6789', bank_name: 'Zenith Bank' },
  transaction_id: ORDER_ID,
  number: '7F0C2A9E',
  amount: 20_000,
  method: 'transfer',
  status: 'sent',
  reason: null,
  owed: false,
  requested_at: '2026-11-22T09:05:07.000Z',
  ended_at: '2026-11-22T09:06:07.000Z',
};

/** The seller's sales of two days. */
export const sold: SoldInPeriod = {
  sum: 32_000,
  orders: 2,
  steps: [
    { from: '2026-11-20', orders: 1, sum: 12_000 },
    { from: '2026-11-21', orders: 1, sum: 20_000 },
  ],
  products: [
    { product_id: 'p4', prod_name: 'Canvas sneakers', pieces: 2, sum: 20_000 },
    { product_id: 'p5', prod_name: 'Leather sandals', pieces: 1, sum: 12_000 },
  ],
};

/** One delivered product: its record can be removed. */
export const delivered: Transaction = {
  ...transaction,
  transaction_id: '2b8d4f60-1c3e-4a5b-8d7f-9e0a1b2c3d4e',
  buyer_id: 'b2',
  reference: '2b8d4f60-1c3e-4a5b-8d7f-9e0a1b2c3d4e',
  buyer_name: 'Tunde Bello',
  recieved: 'DELIVERED',
  product_ids: 'p2',
  quantities: '1',
  prices: '4000',
  user_ids: 's1',
  lines: [lineOf('p2', 1)],
};

export const notice: Notification = {
  message: 'New order for:Canvas sneakers',
  prod_id: ':p4',
  quantity: ':2',
  created_at: PAID_AT,
  items: [
    {
      product_id: 'p4',
      prod_name: 'Canvas sneakers',
      quantity: 2,
      image_url: 'http://localhost/v1/image/shoe.webp',
    },
  ],
};
