import { pagePaths } from '@oja/contracts/pages';
import { DAY_MS } from '@oja/domain/rules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import {
  ada,
  asHead,
  asSub,
  aTransaction,
  aUser,
  musa,
  openAdmin,
  press,
} from '../../../test/admin.js';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import type { Transaction } from '../../api/types.js';
import Home from './AdminHomePage.js';
import Admins from './AdminsPage.js';
import Sellers from './SellersPage.js';

const pages = [
  { path: pagePaths.adminHome, element: <Home /> },
  { path: pagePaths.sellers, element: <Sellers /> },
  { path: pagePaths.admins, element: <Admins /> },
];
const { server, toastTexts, toasts } = openAdmin();

/** The admin's home says that so much needs a person. */
function needsAPerson(orders: {
  readonly disputes: readonly Transaction[];
  readonly unconfirmed: readonly Transaction[];
  readonly waiting: { readonly disputes: number; readonly unconfirmed: number };
}): void {
  const money = { cash: 0, accounts: [], balanced: true };
  const rest = { success: true, totalSellers: 1, totalAdmins: 1, money };
  server.use(http.get('*/v1/admin/overview', () => HttpResponse.json({ ...rest, ...orders })));
}

describe('the admin dashboard', () => {
  it('has four cards for a head admin, and says that the money adds up', async () => {
    asHead();
    const { container } = renderAt('/admin-dashboard', pages);
    expect(await screen.findByText('Adds up')).toBeTruthy();
    expect(screen.getByText(/^1 in dispute, 0 unconfirmed/)).toBeTruthy();
    expect(screen.getByText(/paid .* ago/)).toBeTruthy();
    expect(screen.getByText('It is broken.', { exact: false })).toBeTruthy();
    expect(screen.getByRole('link', { name: /Total Sellers/ }).textContent).toContain('1,284');
    expect(screen.getByRole('button', { name: /Add An Admin/ })).toBeTruthy();
    press(/Add\/Edit Category/);
    expect(screen.getByText('Categories change with a release')).toBeTruthy();
    await expectAccessible(container);
  });

  it('names ten of what needs a person, the oldest first, and leads to all of them', async () => {
    asHead();
    const order = (n: number, recieved: Transaction['recieved']) =>
      aTransaction({
        transaction_id: `n${n}`,
        buyer_name: `Buyer ${n}`,
        paid_at: new Date(Date.now() - n * DAY_MS).toISOString(),
        recieved,
      });
    const ten = Array.from({ length: 10 }, (_, n) => n);
    needsAPerson({
      disputes: ten.map((n) => order(30 - 2 * n, 'DISPUTED')),
      unconfirmed: ten.map((n) => order(35 - 2 * n, 'PENDING')),
      waiting: { disputes: 26, unconfirmed: 300 },
    });
    renderAt('/admin-dashboard', pages);
    const all = await screen.findByRole('link', { name: 'All 326 that need a person' });
    expect(all.getAttribute('href')).toContain('view=buyers&recieved=WAITING&sort=paid_at');
    expect(screen.getAllByText(/^Buyer \d+$/).map(({ textContent }) => textContent)).toEqual(
      [35, 33, 31, 30, 29, 28, 27, 26, 25, 24].map((n) => `Buyer ${n}`),
    );
    expect(screen.getByText('paid 35 days ago', { exact: false })).toBeTruthy();
  });

  it('names of an order in dispute only whose goods the buyer complained about', async () => {
    asHead();
    const [share] = aTransaction().shares;
    if (share === undefined) throw new Error('an order without a seller');
    const shares = [
      { ...share, user_id: 's1', businessName: 'Ada Fashion', status: 'held' as const },
      { ...share, user_id: 's2', businessName: 'Bola Shoes', status: 'disputed' as const },
    ];
    const order = aTransaction({ buyer_name: 'Ngozi', recieved: 'DISPUTED', shares });
    needsAPerson({
      disputes: [order],
      unconfirmed: [],
      waiting: { disputes: 1, unconfirmed: 0 },
    });
    renderAt('/admin-dashboard', pages);
    const line = (await screen.findByText('Ngozi')).closest('p');
    expect(line?.textContent).toContain('Ngozi reported a problem with Bola Shoes.');
  });

  it('has two for a sub-admin', async () => {
    asSub();
    renderAt('/admin-dashboard', pages);
    expect(await screen.findByRole('link', { name: /Total Admins/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Add An Admin/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /Category/ })).toBeNull();
  });

  it('adds an admin by the seller’s id', async () => {
    asHead();
    let asked = '';
    server.use(
      http.put('*/v1/update-subAdmin', ({ request }) => {
        asked = new URL(request.url).search;
        return asked.includes('sellerId')
          ? HttpResponse.json({ success: true, message: 'ok' })
          : HttpResponse.json({ missingFields: ['sellerId'] }, { status: 400 });
      }),
    );
    renderAt('/admin-dashboard', pages);
    press(/Add An Admin/);
    press('Add admin');
    expect(await screen.findByText('Please fill in: Seller ID')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Seller ID'), { target: { value: 's1' } });
    press('Add admin');
    await waitFor(() => expect(toastTexts).toEqual(['Admin added successfully']));
    expect(asked).toBe('?sellerId=s1&isSubAdmin=true');
  });

  it('can be asked for another admin while the overview is read again', async () => {
    asHead();
    renderAt('/admin-dashboard', pages);
    await screen.findByRole('link', { name: /Total Admins/ });
    const overview = delayedAnswer(() => HttpResponse.json({}));
    server.use(
      http.put('*/v1/update-subAdmin', () => HttpResponse.json({ success: true, message: 'ok' })),
      http.get('*/v1/admin/overview', overview.resolver),
    );
    press(/Add An Admin/);
    fireEvent.change(screen.getByLabelText('Seller ID'), { target: { value: 's1' } });
    press('Add admin');
    await waitFor(() => expect(toastTexts).toEqual(['Admin added successfully']));
    press(/Add An Admin/);
    press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    overview.release();
  });
});

describe('sellers and admins', () => {
  it('are counted, and filtered by exact id or name in whatever case', async () => {
    asHead();
    const { container } = renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Total Sellers 2');
    await expectAccessible(container);
    const filter = screen.getByPlaceholderText('filter by BusinessName/ID...');
    fireEvent.change(filter, { target: { value: 'ADA fabrics' } });
    await waitFor(() => expect(screen.queryByText('Musa Garba')).toBeNull());
    expect(screen.getByText('Ada Obi')).toBeTruthy();
    fireEvent.change(filter, { target: { value: 'Ada' } });
    await waitFor(() => expect(screen.queryByText('Ada Obi')).toBeNull());
  });

  it.each(['Musa & Sons', 'Show all'])(
    'are found by what is offered for a part of a name, where the focus goes on at the heading: %s',
    async (name) => {
      asHead();
      renderAt('/admin-dashboard/sellers?find=mus', pages);
      await screen.findByText('No seller has this business name or ID');
      press(name);
      await screen.findByText('Musa Garba');
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    },
  );

  it('are suspended once, however quickly it is pressed', async () => {
    asHead();
    const wanted: (string | null)[] = [];
    server.use(
      http.put('*/v1/user/s1/toggle-suspended', ({ request }) => {
        wanted.push(new URL(request.url).searchParams.get('is_suspended'));
        return HttpResponse.json({ message: 'suspended', is_suspended: 1 });
      }),
    );
    renderAt('/admin-dashboard/sellers', pages);
    const button = await screen.findByRole('button', { name: 'Deactivate Musa & Sons' });
    fireEvent.click(button, { detail: 1 });
    await waitFor(() => expect(toastTexts).toEqual(['suspended']));
    fireEvent.click(button, { detail: 2 });
    await allIsSaid();
    expect(wanted).toEqual(['1']);
  });

  it('are made and unmade admins with their messages', async () => {
    asHead();
    server.use(http.put('*/v1/update-subAdmin', () => HttpResponse.json({ success: true })));
    renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press(/^Make Admin/);
    press('Yes, make an admin');
    await waitFor(() => expect(toastTexts).toEqual(['sucessfully made Musa Garba an Admin']));
    press(/^Delete Admin/);
    await waitFor(() =>
      expect(toastTexts[1]).toBe('sucessfully removed Ada Obi from being an Admin'),
    );
  });

  it('who were erased are listed and not counted, and can only be unmade', async () => {
    asHead();
    const gone = { name: null, phone_1: null, erased: 1 } as const;
    const [erased, admin] = [
      aUser({ user_id: 's3', businessName: 'Gone Bags', ...gone }),
      aUser({ user_id: 's4', businessName: 'Gone Shoes', is_subAdmin: 1, ...gone }),
    ];
    const result = [musa, erased, admin];
    server.use(
      http.get('*/v1/user/getAllUsers', () =>
        HttpResponse.json({ success: true, result, nextCursor: null }),
      ),
    );
    renderAt('/admin-dashboard/sellers', pages);
    expect(await screen.findAllByText('Erased')).toHaveLength(2);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Total Sellers 1');
    expect(screen.getAllByText('Active')).toHaveLength(1);
    const acts = screen.getAllByRole('button', { name: /^(Activate|Deactivate|Make|Delete)/ });
    expect(acts.map(({ textContent }) => textContent)).toEqual([
      'Deactivate Musa & Sons',
      'Make Admin Musa & Sons',
      'Delete Admin Gone Shoes',
    ]);
  });

  it('who were erased leave the focus at the heading once they are unmade', async () => {
    asHead();
    const erased = aUser({ user_id: 's4', businessName: 'Gone Shoes', name: null, erased: 1 });
    const listed = (is_subAdmin: 0 | 1) =>
      server.use(
        http.get('*/v1/user/getAllUsers', () =>
          HttpResponse.json({
            success: true,
            result: [musa, { ...erased, is_subAdmin }],
            nextCursor: null,
          }),
        ),
      );
    listed(1);
    server.use(
      http.put('*/v1/update-subAdmin', () => {
        listed(0);
        return HttpResponse.json({ success: true });
      }),
    );
    renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Erased');
    press('Delete Admin Gone Shoes');
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('keep the focus in the dialog of a history that is read again', async () => {
    expectErrors(/That did not work\./);
    asHead();
    server.use(http.get('*/v1/timeline/*', () => HttpResponse.json({}, { status: 403 })));
    renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press('History of Musa & Sons');
    await screen.findByRole('button', { name: 'Try again' });
    server.use(http.get('*/v1/timeline/*', () => HttpResponse.json({ success: true, result: [] })));
    press('Try again');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull());
    const title = within(screen.getByRole('dialog')).getByRole('heading', { name: 'Musa & Sons' });
    expect(document.activeElement).toBe(title);
  });

  it('are unmade among the admins, where the focus goes on at the heading', async () => {
    asHead();
    server.use(http.put('*/v1/update-subAdmin', () => HttpResponse.json({ success: true })));
    renderAt('/admin-dashboard/admins', pages);
    const button = await screen.findByRole('button', { name: /^Delete Admin/ });
    server.use(
      http.get('*/v1/user/getAllUsers', () =>
        HttpResponse.json({ success: true, result: [musa], nextCursor: null }),
      ),
    );
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(button.isConnected).toBe(false));
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })),
    );
  });

  it('makes nobody an admin before asking, and undoes it', async () => {
    asHead();
    const asked: string[] = [];
    server.use(
      http.put('*/v1/update-subAdmin', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json({ success: true });
      }),
    );
    const { container } = renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press(/^Make Admin/);
    expect(screen.getByRole('dialog', { name: 'Make Musa Garba an admin?' })).toBeTruthy();
    await expectAccessible(container);
    press('Not now');
    expect(asked).toEqual([]);
    press(/^Make Admin/);
    press('Yes, make an admin');
    await waitFor(() => expect(toasts).toHaveLength(1));
    toasts[0]?.action?.onPress();
    await waitFor(() =>
      expect(asked).toEqual(['?sellerId=s1&isSubAdmin=true', '?sellerId=s1&isSubAdmin=false']),
    );
  });

  it('tells who did what to whom, of one kind or of all', async () => {
    asHead();
    const suspended = {
      id: 'e2',
      type: 'SellerSuspended',
      at: '2026-11-21T09:41:00.000Z',
      actor: 'seller:s2',
      text: 'Suspended',
      act: 'suspension',
      about: 'seller',
      subject: 's1',
      seller: null,
      amount: null,
    };
    const settled = { ...suspended, id: 'e1', type: 'DisputeResolved', actor: 'operator' };
    const order = '5f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e41';
    const dispute = {
      ...settled,
      text: 'The dispute was settled for the buyer',
      act: 'dispute',
      about: 'transaction',
      subject: order,
      seller: 's1',
      amount: 5_800,
    };
    const payout = {
      ...dispute,
      id: 'e3',
      type: 'PayoutCompleted',
      actor: 'operator:Chidi O.',
      text: 'Recorded as paid: paid in cash',
      act: 'payout',
      amount: 4_348.5,
    };
    server.use(
      http.get('*/v1/admin/audit', ({ request }) => {
        const { searchParams } = new URL(request.url);
        const ofKind = { dispute, payout }[searchParams.get('act') ?? ''];
        const result = [ofKind ?? suspended];
        return HttpResponse.json({
          success: true,
          result: searchParams.get('cursor') === 'c1' ? [dispute] : result,
          nextCursor: searchParams.size === 0 ? 'c1' : null,
        });
      }),
    );
    const { container } = renderAt('/admin-dashboard/admins?view=audit', pages);
    const list = await screen.findByRole('list', { name: 'What admins and operators did' });
    await within(list).findByText(/^Ada Obi/);
    expect(within(list).getByRole('link', { name: 'Musa & Sons' })).toBeTruthy();
    await expectAccessible(container);
    press('Older');
    const link = await within(list).findByRole('link', { name: 'Order 5F0C7A52' });
    expect(link.getAttribute('href')).toBe(`/admin-dashboard/${order}`);
    fireEvent.change(screen.getByLabelText('Kind of action'), { target: { value: 'dispute' } });
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Musa & Sons' })).toBeNull());
    expect(await screen.findByText(/^An operator/)).toBeTruthy();
    const settlement = within(screen.getByRole('list', { name: 'What admins and operators did' }));
    expect(settlement.getByRole('listitem').textContent).toContain(
      'Order 5F0C7A52, Musa & Sons, ₦5,800: The dispute was settled for the buyer',
    );
    fireEvent.change(screen.getByLabelText('Kind of action'), { target: { value: 'payout' } });
    expect(await screen.findByText(/^Chidi O\. \(operator\)/)).toBeTruthy();
    const paid = within(screen.getByRole('list', { name: 'What admins and operators did' }));
    expect(paid.getByRole('listitem').textContent).toContain(
      'Order 5F0C7A52, Musa & Sons, ₦4,348.50: Recorded as paid: paid in cash',
    );
    await expectAccessible(container);
  });

  it('show a sub-admin no button that would be refused', async () => {
    asSub();
    renderAt('/admin-dashboard/admins', pages);
    await screen.findByText('Ada Obi');
    expect(screen.queryByText('Musa Garba')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Deactivate|Make|Delete)/ })).toBeNull();
  });

  it('show everybody, also where the market answers page by page', async () => {
    asHead();
    const pageOf: Readonly<Record<string, object>> = {
      first: { result: [musa], nextCursor: 'second' },
      second: { result: [ada], nextCursor: null },
    };
    server.use(
      http.get('*/v1/user/getAllUsers', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor') ?? 'first';
        return HttpResponse.json({ success: true, ...pageOf[cursor] });
      }),
    );
    renderAt('/admin-dashboard/sellers', pages);
    expect(await screen.findByText('Ada Obi')).toBeTruthy();
    expect(screen.getByText('Musa Garba')).toBeTruthy();
  });

  it.each([
    ['/admin-dashboard/sellers', 'Error getting all Users'],
    ['/admin-dashboard/admins', 'Error getting all Admins'],
  ])('say when they cannot be read: %s', async (address, words) => {
    expectErrors(/That did not work\./);
    asHead();
    server.use(http.get('*/v1/user/getAllUsers', () => HttpResponse.json({}, { status: 403 })));
    renderAt(address, pages);
    expect(await screen.findByText(words)).toBeTruthy();
  });
});
