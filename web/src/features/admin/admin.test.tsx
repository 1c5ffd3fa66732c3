import { pagePaths } from '@oja/contracts/pages';
import { DAY_MS, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aTransaction, aUser } from '../../../test/admin.js';
import { expectAccessible } from '../../../test/axe.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import type { Transaction } from '../../api/types.js';
import { signIn, signOut } from '../../stores/session.js';
import { takeToasts } from '../../ui/toast.js';
import Home from './AdminHomePage.js';
import Admins from './AdminsPage.js';
import Sellers from './SellersPage.js';
import Order from './TransactionPage.js';

const server = setupServer();
const said: string[] = [];
let letGo = () => {};
const musa = aUser({ user_id: 's1', name: 'Musa Garba', businessName: 'Musa & Sons' });
const ada = aUser({ user_id: 's2', name: 'Ada Obi', businessName: 'Ada Fabrics', is_subAdmin: 1 });
const delivered = aTransaction({ transaction_id: 't2', buyer_id: 't2', recieved: 'DELIVERED' });
const disputed = aTransaction({
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

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  said.length = 0;
  letGo = takeToasts(({ text }) => said.push(text));
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.use(
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
      HttpResponse.json({ success: true, result: [musa, ada] }),
    ),
    http.get('*/v1/buyers/transactions', () =>
      HttpResponse.json({ ok: true, result: [aTransaction(), delivered], nextCursor: null }),
    ),
    http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: disputed })),
    http.get('*/v1/timeline/*', () => HttpResponse.json({ success: true, result: [] })),
  );
});
afterEach(() => {
  cleanup();
  letGo();
  signOut();
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const pages = [
  { path: pagePaths.adminHome, element: <Home /> },
  { path: pagePaths.sellers, element: <Sellers /> },
  { path: pagePaths.admins, element: <Admins /> },
  { path: pagePaths.transaction, element: <Order /> },
];
const asHead = () => signIn(aSeller({ is_admin: 1 }), 'token');
const asSub = () => signIn(aSeller({ is_subAdmin: 1 }), 'token');
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

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
    server.use(
      http.get('*/v1/admin/overview', () =>
        HttpResponse.json({
          success: true,
          totalSellers: 1,
          totalAdmins: 1,
          money: { cash: 0, accounts: [], balanced: true },
          disputes: ten.map((n) => order(30 - 2 * n, 'DISPUTED')),
          unconfirmed: ten.map((n) => order(35 - 2 * n, 'PENDING')),
          waiting: { disputes: 26, unconfirmed: 300 },
        }),
      ),
    );
    renderAt('/admin-dashboard', pages);
    const all = await screen.findByRole('link', { name: 'All 326 that need a person' });
    expect(all.getAttribute('href')).toContain('view=buyers&recieved=WAITING&sort=paid_at');
    expect(screen.getAllByText(/^Buyer \d+$/).map(({ textContent }) => textContent)).toEqual(
      [35, 33, 31, 30, 29, 28, 27, 26, 25, 24].map((n) => `Buyer ${n}`),
    );
    expect(screen.getByText('paid 35 days ago', { exact: false })).toBeTruthy();
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
    await waitFor(() => expect(said).toEqual(['Admin added successfully']));
    expect(asked).toBe('?sellerId=s1&isSubAdmin=true');
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
    await waitFor(() => expect(said).toEqual(['suspended']));
    fireEvent.click(button, { detail: 2 });
    expect(wanted).toEqual(['1']);
  });

  it('are made and unmade admins with their messages', async () => {
    asHead();
    server.use(http.put('*/v1/update-subAdmin', () => HttpResponse.json({ success: true })));
    renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press(/^Make Admin/);
    press('Yes, make an admin');
    await waitFor(() => expect(said).toEqual(['sucessfully made Musa Garba an Admin']));
    press(/^Delete Admin/);
    await waitFor(() => expect(said[1]).toBe('sucessfully removed Ada Obi from being an Admin'));
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
    let undo: (() => void) | undefined;
    letGo();
    letGo = takeToasts(({ text, action }) => {
      said.push(text);
      undo = action?.onPress;
    });
    const { container } = renderAt('/admin-dashboard/sellers', pages);
    await screen.findByText('Musa Garba');
    press(/^Make Admin/);
    expect(screen.getByRole('dialog', { name: 'Make Musa Garba an admin?' })).toBeTruthy();
    await expectAccessible(container);
    press('Not now');
    expect(asked).toEqual([]);
    press(/^Make Admin/);
    press('Yes, make an admin');
    await waitFor(() => expect(undo).toBeDefined());
    undo?.();
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
    };
    const settled = { ...suspended, id: 'e1', type: 'DisputeResolved', actor: 'operator' };
    const order = '5f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e41';
    const dispute = {
      ...settled,
      text: 'The dispute was settled for the buyer',
      act: 'dispute',
      about: 'transaction',
      subject: order,
    };
    server.use(
      http.get('*/v1/admin/audit', ({ request }) => {
        const { searchParams } = new URL(request.url);
        const result = searchParams.get('act') === 'dispute' ? [dispute] : [suspended];
        return HttpResponse.json({
          success: true,
          result: searchParams.get('cursor') === 'c1' ? [dispute] : result,
          nextCursor: searchParams.size === 0 ? 'c1' : null,
        });
      }),
    );
    const { container } = renderAt('/admin-dashboard/admins?view=audit', pages);
    const list = await screen.findByRole('list', { name: 'What admins did' });
    await within(list).findByText(/^Ada Obi/);
    expect(within(list).getByRole('link', { name: 'Musa & Sons' })).toBeTruthy();
    await expectAccessible(container);
    press('Older');
    const link = await within(list).findByRole('link', { name: 'Order 5F0C7A52' });
    expect(link.getAttribute('href')).toBe(`/admin-dashboard/${order}`);
    fireEvent.change(screen.getByLabelText('Which acts'), { target: { value: 'dispute' } });
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Musa & Sons' })).toBeNull());
    expect(await screen.findByText(/An operator/)).toBeTruthy();
  });

  it('show a sub-admin no button that would be refused', async () => {
    asSub();
    renderAt('/admin-dashboard/admins', pages);
    await screen.findByText('Ada Obi');
    expect(screen.queryByText('Musa Garba')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Deactivate|Make|Delete)/ })).toBeNull();
  });

  it.each([
    ['/admin-dashboard/sellers', 'Error getting all Users'],
    ['/admin-dashboard/admins', 'Error getting all Admins'],
  ])('say when they cannot be read: %s', async (address, words) => {
    asHead();
    server.use(http.get('*/v1/user/getAllUsers', () => HttpResponse.json({}, { status: 403 })));
    renderAt(address, pages);
    expect(await screen.findByText(words)).toBeTruthy();
  });
});

describe('the table of buyers', () => {
  const address = '/admin-dashboard/sellers?view=buyers';
  it('marks what was delivered, sorts by its heads, and opens a row', async () => {
    asHead();
    const { container, router } = renderAt(address, pages);
    const table = await screen.findByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map(({ className }) => className)).toEqual(['', 'Buyers-deliveredRow']);
    await expectAccessible(container);
    fireEvent.click(within(table).getByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(router.state.location.search).toContain('sort=-amount'));
    expect(
      within(table).getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort'),
    ).toBe('descending');
    fireEvent.click(screen.getAllByText('Halima Yusuf')[0] ?? table);
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin-dashboard/t1'));
  });

  /** The newest of them, and an older one that is read with the next page. */
  function anOlderOne(older: Transaction): void {
    const answers = [
      { ok: true, result: [aTransaction({ transaction_id: 'newest' })], nextCursor: 'c1' },
      { ok: true, result: [older], nextCursor: null },
    ];
    server.use(
      http.get('*/v1/buyers/transactions', ({ request }) =>
        HttpResponse.json(
          answers[new URL(request.url).searchParams.get('cursor') === 'c1' ? 1 : 0],
        ),
      ),
    );
  }

  /** Which records the server is asked to remove. */
  function removals(): readonly string[] {
    const removed: string[] = [];
    server.use(
      http.delete('*/v1/buyers/:id', ({ params }) => {
        removed.push(String(params.id));
        return HttpResponse.json({ success: true, message: 'ok' });
      }),
    );
    return removed;
  }

  it('brings older transactions for as long as there are some', async () => {
    asHead();
    anOlderOne(aTransaction({ transaction_id: 'older', reference: 'older-reference' }));
    renderAt(address, pages);
    await screen.findByTitle('older-reference');
    expect(screen.queryByText(/older ones/)).toBeNull();
  });

  it('offers to go on where older ones did not come', async () => {
    asHead();
    let fails = true;
    const newest = { ok: true, result: [aTransaction()], nextCursor: 'c1' };
    const older = aTransaction({ transaction_id: 'older', reference: 'older-reference' });
    server.use(
      http.get('*/v1/buyers/transactions', ({ request }) => {
        if (!request.url.includes('c1')) return HttpResponse.json(newest);
        if (fails) return HttpResponse.json({}, { status: 400 });
        return HttpResponse.json({ ok: true, result: [older], nextCursor: null });
      }),
    );
    renderAt(address, pages);
    const again = await screen.findByRole('button', { name: 'Older' });
    await waitFor(() => expect(again.getAttribute('aria-busy')).not.toBe('true'));
    fails = false;
    fireEvent.click(again);
    await screen.findByTitle('older-reference');
  });

  it('is a card an order where there is no room for it, or where somebody has to look', async () => {
    asHead();
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result: [disputed, delivered], nextCursor: null }),
      ),
    );
    const { container } = renderAt(`${address}&recieved=WAITING&sort=paid_at`, pages);
    const cards = await screen.findByRole('list', { name: 'Buyers transactions' });
    expect(within(cards).getByText('It is broken.', { exact: false })).toBeTruthy();
    expect(within(cards).getByText('Home Address')).toBeTruthy();
    expect(within(cards).queryByText('DELIVERED')).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
    await expectAccessible(container);
  });

  it('is narrowed to a seller and to days, with the sums of what is left', async () => {
    asHead();
    const { router } = renderAt(address, pages);
    await screen.findByRole('table');
    const totals = () => screen.getByLabelText('Totals of what is found').textContent;
    expect(totals()).toBe('Orders2Pieces2Goods₦10,000Amount₦11,600');
    fireEvent.change(screen.getByLabelText('Seller'), { target: { value: 's1' } });
    await waitFor(() => expect(router.state.location.search).toContain('seller=s1'));
    fireEvent.change(screen.getByLabelText('Paid from'), { target: { value: '2026-11-22' } });
    expect(await screen.findByText('No transaction matches')).toBeTruthy();
    press('Show all');
    await waitFor(() => expect(totals()).toContain('Orders2'));
  });

  it('removes the delivered records after asking, and reads the table again', async () => {
    asHead();
    const removed = removals();
    renderAt(address, pages);
    await screen.findByRole('table');
    press('remove delivered');
    press('Remove');
    await waitFor(() => expect(said).toEqual(['1 delivered record removed']));
    expect(removed).toEqual(['t2']);
  });

  it('removes also what was delivered so long ago that it is not in the table yet', async () => {
    asHead();
    const removed = removals();
    anOlderOne(aTransaction({ transaction_id: 'old', buyer_id: 'old', recieved: 'DELIVERED' }));
    renderAt(address, pages);
    await screen.findByRole('table');
    press('remove delivered');
    expect(await screen.findByText('Remove 1 delivered record?')).toBeTruthy();
    press('Remove');
    await waitFor(() => expect(removed).toEqual(['old']));
  });

  it('says when it cannot be read again, and keeps what it shows', async () => {
    asHead();
    renderAt(address, pages);
    await screen.findByRole('table');
    server.use(http.get('*/v1/buyers/transactions', () => HttpResponse.json({}, { status: 400 })));
    press('refresh table');
    await waitFor(() => expect(said).toEqual(['Failure retrieving the data!']));
    expect(screen.getByRole('table')).toBeTruthy();
  });

  it('says when it cannot be read, and offers a sub-admin no removal', async () => {
    asSub();
    server.use(http.get('*/v1/buyers/transactions', () => HttpResponse.json({}, { status: 403 })));
    renderAt(address, pages);
    expect(await screen.findByText('Failure retrieving the data!')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'remove delivered' })).toBeNull();
  });
});

describe('a transaction', () => {
  const imagesAnswer = (body: object, status: number) =>
    server.use(http.get('*/v1/products/p1/images', () => HttpResponse.json(body, { status })));

  it.each([
    [{ success: false }, 404, 'No image with that product_id'],
    [{ success: false }, 403, 'Error fetching product image'],
  ])('says what became of the pictures', async (body, status, words) => {
    asHead();
    imagesAnswer(body, status);
    renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('is settled seller by seller, after asking', async () => {
    asHead();
    imagesAnswer(
      { success: true, result: [{ image_urls: 'http://x/v1/image/a,http://x/v1/image/b' }] },
      200,
    );
    let sent: unknown;
    server.use(
      http.post('*/v1/transactions/t1/resolve', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'The dispute is settled' });
      }),
    );
    const { container } = renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findAllByAltText(/^Field watch, picture/)).toHaveLength(2);
    expect(screen.getByText('It is broken.')).toBeTruthy();
    await expectAccessible(container);
    press('Release to the seller');
    press('Release');
    await waitFor(() => expect(said).toEqual(['The dispute is settled']));
    expect(sent).toEqual({ sellerId: 's1', outcome: 'release' });
  });

  it('that nobody confirmed for long is settled with a reason, and not without', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    const old = new Date(Date.now() - UNCONFIRMED_AFTER_MS).toISOString();
    const unconfirmed = aTransaction({ paid_at: old });
    let sent: unknown;
    server.use(
      http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: unconfirmed })),
      http.post('*/v1/transactions/t1/resolve', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'It is settled' });
      }),
    );
    const { container } = renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findByText(/neither confirmed nor complained for 14 days/)).toBeTruthy();
    press('Refund the buyer');
    press('Refund');
    expect(await screen.findByText('Please say why')).toBeTruthy();
    expect(sent).toBeUndefined();
    await expectAccessible(container);
    fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'It was never sent' } });
    press('Refund');
    await waitFor(() => expect(said).toEqual(['It is settled']));
    expect(sent).toEqual({ sellerId: 's1', outcome: 'refund', note: 'It was never sent' });
  });

  it('offers nothing to settle while its buyer has time to confirm', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    const young = aTransaction({ paid_at: new Date(Date.now() - DAY_MS).toISOString() });
    server.use(
      http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: young })),
    );
    renderAt('/admin-dashboard/t1', pages);
    await screen.findByText('Field watch');
    expect(screen.queryByRole('button', { name: /Release|Refund/ })).toBeNull();
  });

  it('shows a sub-admin no way to settle it', async () => {
    asSub();
    imagesAnswer({ success: true, result: [] }, 200);
    renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findByText('It is broken.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Release|Refund/ })).toBeNull();
  });
});
