import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { asHead, openAdmin, press } from '../../../test/admin.js';
import { renderAt } from '../../../test/render.js';
import Home from './AdminHomePage.js';
import Sellers from './SellersPage.js';

const pages = [
  { path: pagePaths.adminHome, element: <Home /> },
  { path: pagePaths.sellers, element: <Sellers /> },
];
const { server, toastTexts } = openAdmin();

describe('what an admin did', () => {
  it('counts where its answer was lost', async () => {
    asHead();
    renderAt('/admin-dashboard', pages);
    await screen.findByRole('link', { name: 'Total Admins 6' });
    const overview = {
      totalSellers: 1_283,
      totalAdmins: 7,
      money: { cash: 0, accounts: [], balanced: true },
      disputes: [],
      unconfirmed: [],
      waiting: { disputes: 0, unconfirmed: 0 },
    };
    server.use(
      http.put('*/v1/update-subAdmin', () => {
        server.use(http.get('*/v1/admin/overview', () => HttpResponse.json(overview)));
        return new HttpResponse(null, { status: 502 });
      }),
    );
    press(/Add An Admin/);
    fireEvent.change(screen.getByLabelText('Seller ID'), { target: { value: 's1' } });
    press('Add admin');
    await screen.findByText(/^The market cannot answer just now/);
    press('Close');
    expect(await screen.findByRole('link', { name: 'Total Admins 7' })).toBeTruthy();
  });

  it('is in a history that was looked at just before', async () => {
    asHead();
    const result: object[] = [];
    const suspended = { id: 'e1', type: 'SellerSuspended', text: 'Suspended', actor: 'operator' };
    server.use(
      http.get('*/v1/timeline/*', () => HttpResponse.json({ success: true, result })),
      http.put('*/v1/user/s1/toggle-suspended', () => {
        result.push({ ...suspended, at: '2026-11-21T09:41:00.000Z' });
        return HttpResponse.json({ success: true, message: 'Suspended' });
      }),
    );
    renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press('History of Musa & Sons');
    await screen.findByRole('list', { name: 'Who did what, when' });
    press('Close');
    press('Deactivate Musa & Sons');
    await waitFor(() => expect(toastTexts).toEqual(['Suspended']));
    press('History of Musa & Sons');
    const history = await screen.findByRole('list', { name: 'Who did what, when' });
    expect(await within(history).findByText('Suspended')).toBeTruthy();
  });
});
