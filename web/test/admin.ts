import { fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach } from 'vitest';
import type { Profile, Transaction } from '../src/api/types.js';
import { signIn } from '../src/stores/session.js';
import { aProduct } from './products.js';
import { aSeller } from './sellers.js';
import { freshToken, setUpSignedInPages } from './signed-in-pages.js';

/** A person as the list of all users contains them. */
export function aUser(change: Partial<Profile> = {}): Profile {
  const user = { ...aSeller(), phone_1: '08065512904', created_at: '2026-09-05T13:31:24.644Z' };
  const all = { ...user, ...change };
  return { ...all, userId: all.user_id };
}

/** A paid order of one product, as the transactions table contains it. */
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

export const musa = aUser({ user_id: 's1', name: 'Musa Garba', businessName: 'Musa & Sons' });
export const ada = aUser({
  user_id: 's2',
  name: 'Ada Obi',
  businessName: 'Ada Fabrics',
  is_subAdmin: 1,
});
export const delivered = aTransaction({
  transaction_id: 't2',
  buyer_id: 't2',
  recieved: 'DELIVERED',
});
export const disputed = aTransaction({
  recieved: 'DISPUTED',
  shares: [
    {
      user_id: 's1',
      businessName: 'Musa & Sons',
      share: 4_348,
      status: 'disputed',
      complaint: 'It is broken.',
    },
  ],
});

export const asHead = () => signIn(aSeller({ is_admin: 1 }), 'token');
export const asSub = () => signIn(aSeller({ is_subAdmin: 1 }), 'token');
/** Presses a button as a keyboard does, with the focus on it. */
export function press(name: string | RegExp): void {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
}

/** A market with two people and two orders for each test of a file, and the toasts shown. */
export function openAdmin() {
  const { server, toastTexts, toasts } = setUpSignedInPages();
  beforeEach(() => {
    server.use(
      freshToken,
      http.get('*/v1/image/*', () => new HttpResponse()),
      http.get('*/v1/admin/overview', () =>
        HttpResponse.json({
          success: true,
          totalSellers: 1_284,
          totalAdmins: 6,
          money: { cash: 100, accounts: [{ name: 'Held', amount: 100 }], balanced: true },
          disputes: [disputed],
          unconfirmed: [],
          waiting: { disputes: 1, unconfirmed: 0 },
        }),
      ),
      http.get('*/v1/user/getAllUsers', () =>
        HttpResponse.json({ success: true, result: [musa, ada], nextCursor: null }),
      ),
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result: [aTransaction(), delivered], nextCursor: null }),
      ),
      http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: disputed })),
      http.get('*/v1/product/*', () => HttpResponse.json({ success: true, result: aProduct() })),
      http.get('*/v1/products/*/images', () => HttpResponse.json({ success: true, result: [] })),
      http.get('*/v1/timeline/*', () => HttpResponse.json({ success: true, result: [] })),
    );
  });
  return { server, toastTexts, toasts };
}
