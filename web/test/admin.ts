import type { Profile, Transaction } from '../src/api/types.js';
import { aSeller } from './sellers.js';

/** A person as the list of all users answers them. */
export function aUser(change: Partial<Profile> = {}): Profile {
  const user = { ...aSeller(), phone_1: '08065512904', created_at: '2026-09-05T13:31:24.644Z' };
  const all = { ...user, ...change };
  return { ...all, userId: all.user_id };
}

/** A paid order of one product, as the table answers it. */
export function aTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    transaction_id: 't1',
    buyer_id: 't1',
    status: 'success',
    reference: 'r1',
    amount: 5_800,
    delivery_fee: 800,
    paid_at: '2026-11-21T09:41:00.000Z',
    created_at: '2026-11-21T09:39:00.000Z',
    currency: 'NGN',
    channel: 'card',
    buyer_name: 'Halima Yusuf',
    email: 'halima@ng.example',
    home_address: '27 Warehouse Road, Apapa',
    phone_number: '09026451180',
    recieved: 'PENDING',
    product_ids: 'p1',
    quantities: '1',
    prices: '5000',
    user_ids: 's1',
    lines: [
      {
        product_id: 'p1',
        user_id: 's1',
        businessName: 'Musa & Sons',
        prod_name: 'Field watch',
        image_url: 'http://localhost/v1/image/watch.webp',
        quantity: 1,
        price: 5_000,
      },
    ],
    shares: [{ user_id: 's1', businessName: 'Musa & Sons', share: 4_348, status: 'held' }],
    ...change,
  };
}
