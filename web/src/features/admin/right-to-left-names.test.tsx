import { pagePaths } from '@oja/contracts/pages';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { asHead, aTransaction, aUser, openAdmin } from '../../../test/admin.js';
import { renderAt } from '../../../test/render.js';
import Admin from './AdminHomePage.js';
import Admins from './AdminsPage.js';
import Sellers from './SellersPage.js';
import Order from './TransactionPage.js';

const pages = [
  { path: pagePaths.adminHome, element: <Admin /> },
  { path: pagePaths.admins, element: <Admins /> },
  { path: pagePaths.sellers, element: <Sellers /> },
  { path: pagePaths.transaction, element: <Order /> },
];
const { server } = openAdmin();

const BUYER = 'عمر الفاروق';
const STORE = 'متجر النور';
const order = aTransaction({
  buyer_name: BUYER,
  phone_number: '+234 803 123 4567',
  shares: [{ user_id: 's9', businessName: STORE, share: 4_348, status: 'held' }],
});

/** Expects that the name is isolated: else the number that follows it is drawn before it, its groups in reverse. */
async function expectIsolated(name: string, within_: HTMLElement): Promise<void> {
  const all = await within(within_).findAllByText(name, { exact: false });
  const inLine = all.filter(({ textContent }) => textContent === name);
  expect(inLine.map(({ tagName }) => tagName)).toContain('BDI');
}

describe('a name that is written from right to left leaves what follows it as it is:', () => {
  it('the phone number of a buyer', async () => {
    asHead();
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({
          ok: true,
          result: [{ ...order, recieved: 'DISPUTED' }],
          nextCursor: null,
        }),
      ),
    );
    renderAt('/admin-dashboard/sellers?view=buyers&recieved=WAITING', pages);
    const cards = await screen.findByRole('list', { name: 'Buyers transactions' });
    await expectIsolated(BUYER, cards);
  });

  it('the amount of an order that needs a person', async () => {
    asHead();
    server.use(
      http.get('*/v1/admin/overview', () =>
        HttpResponse.json({
          success: true,
          totalSellers: 1,
          totalAdmins: 1,
          money: { cash: 0, accounts: [], balanced: true },
          disputes: [],
          unconfirmed: [order],
          waiting: { disputes: 0, unconfirmed: 1 },
        }),
      ),
    );
    renderAt('/admin-dashboard', pages);
    const section = await screen.findByRole('link', { name: `Open the order of ${BUYER}` });
    await expectIsolated(STORE, section.closest('li') ?? section);
  });

  it('the time of an act, and the amount of a payout', async () => {
    asHead();
    const payout = {
      id: 'e1',
      type: 'PayoutCompleted',
      actor: 'seller:s9',
      at: '2026-11-21T09:41:00.000Z',
      text: 'Recorded as paid',
      act: 'payout',
      about: 'transaction',
      subject: 't1',
      seller: 's9',
      amount: 4_348.5,
    };
    const omar = aUser({ user_id: 's9', name: BUYER, businessName: STORE });
    server.use(
      http.get('*/v1/user/getAllUsers', () =>
        HttpResponse.json({ success: true, result: [omar], nextCursor: null }),
      ),
      http.get('*/v1/admin/audit', () =>
        HttpResponse.json({ success: true, result: [payout], nextCursor: null }),
      ),
    );
    renderAt('/admin-dashboard/admins?view=audit', pages);
    const list = await screen.findByRole('list', { name: 'What admins and operators did' });
    await expectIsolated(STORE, list);
    await expectIsolated(BUYER, list);
  });
});
