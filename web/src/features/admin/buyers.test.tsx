import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import {
  asHead,
  asSub,
  aTransaction,
  delivered,
  disputed,
  openAdmin,
  press,
} from '../../../test/admin.js';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import type { Transaction } from '../../api/types.js';
import Sellers from './SellersPage.js';
import Order from './TransactionPage.js';

const pages = [
  { path: pagePaths.sellers, element: <Sellers /> },
  { path: pagePaths.transaction, element: <Order /> },
];
const { server, toastTexts, toasts } = openAdmin();

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

  it('counts one of a kind as one', async () => {
    asHead();
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result: [aTransaction()], nextCursor: null }),
      ),
    );
    renderAt(address, pages);
    expect(await screen.findByText('1 transaction, 1 product')).toBeTruthy();
    expect(screen.getByText(/^1 to 1 of 1 row\./)).toBeTruthy();
  });

  it('names the seller by whom it is filtered, though none of the loaded transactions is theirs', async () => {
    asHead();
    renderAt(`${address}&seller=s-of-long-ago`, pages);
    await screen.findByText(/^No transaction matches/);
    const seller = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Seller' });
    expect(seller.value).toBe('s-of-long-ago');
    expect(seller.selectedOptions[0]?.textContent).toBe('s-of-long-ago');
    fireEvent.change(seller, { target: { value: '' } });
    await screen.findByRole('table');
    expect(screen.queryByRole('option', { name: 's-of-long-ago' })).toBeNull();
  });

  it('keeps what was chosen first when more is chosen before that is drawn', async () => {
    asHead();
    const { router } = renderAt(address, pages);
    await screen.findByRole('table');
    const recieved = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Recieved' });
    const asked = () => router.state.location.search;
    // React renders nothing before this act ends.
    await act(async () => {
      fireEvent.change(recieved, { target: { value: recieved.options[1]?.value } });
      await vi.waitFor(() => expect(asked()).toContain('recieved='));
      fireEvent.change(screen.getByLabelText('Paid from'), { target: { value: '2026-01-02' } });
    });
    await waitFor(() => expect(asked()).toContain('from=2026-01-02'));
    expect(asked()).toContain('recieved=');
  });

  /** The server answers the newest transaction first, and `older` with the second page. */
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

  /** The ids of the buyer records that the server is asked to remove, in the order of the calls. */
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
    expectErrors(/That did not work\./);
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
    expect(screen.getByRole('alert').textContent).toBe('Older ones did not load.');
    expect(screen.queryByText(/Reading older/)).toBeNull();
    expect(screen.getByLabelText('Totals of the rows read so far')).toBeTruthy();
    const find = screen.getByLabelText(/^Find a buyer/);
    fireEvent.change(find, { target: { value: 'older-reference' } });
    await screen.findByText('No transaction matches so far');
    fails = false;
    fireEvent.click(again);
    await screen.findByTitle('older-reference');
    expect(screen.getByLabelText('Totals of these rows')).toBeTruthy();
  });

  it('is saved as a file with the older ones, or not at all', async () => {
    expectErrors(/Not now\./);
    asHead();
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) files.push(file);
      return '#file';
    });
    let fails = true;
    const newest = { ok: true, result: [aTransaction()], nextCursor: 'c1' };
    const older = aTransaction({ transaction_id: 'older', reference: 'older-reference' });
    server.use(
      http.get('*/v1/buyers/transactions', ({ request }) => {
        if (!request.url.includes('c1')) return HttpResponse.json(newest);
        if (fails) return HttpResponse.json({ message: 'Not now.' }, { status: 400 });
        return HttpResponse.json({ ok: true, result: [older], nextCursor: null });
      }),
    );
    renderAt(address, pages);
    await screen.findByRole('alert');
    press('CSV');
    await waitFor(() => expect(toasts).toMatchObject([{ text: 'Not now.' }]));
    expect(files).toEqual([]);
    fails = false;
    press('CSV');
    await waitFor(() => expect(files).toHaveLength(1));
    expect(await files[0]?.text()).toContain('older-reference');
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
    const copied = within(cards).getAllByRole('button', { name: /^Copy/, hidden: true });
    const names = copied.map((sign) => sign.getAttribute('aria-label'));
    expect(names).toContainEqual(expect.stringMatching(/^Copy the Reference of order [0-9A-Z]+$/));
    expect(new Set(names).size).toBe(names.length);
    expect(within(cards).getByText('Home Address')).toBeTruthy();
    expect(within(cards).queryByText('DELIVERED')).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
    await expectAccessible(container);
  });

  it('says on a card how many of the products are on another page', async () => {
    asHead();
    const many = (of: string) => Array.from({ length: 26 }, () => of).join(',');
    const [line] = disputed.lines;
    const large = {
      ...disputed,
      product_ids: many('p1'),
      quantities: many('1'),
      prices: many('5000'),
      user_ids: many('s1'),
      lines: Array.from({ length: 26 }, () => line),
    };
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result: [large], nextCursor: null }),
      ),
    );
    renderAt(`${address}&recieved=WAITING`, pages);
    const card = () => screen.findByRole('list', { name: 'Buyers transactions' });
    expect(within(await card()).getByText('25 of the 26 products of this order')).toBeTruthy();
    press('Next');
    expect(
      await within(await card()).findByText('1 of the 26 products of this order'),
    ).toBeTruthy();
  });

  it('is narrowed to a seller and to days, with the sums of what is left', async () => {
    asHead();
    const { router } = renderAt(address, pages);
    await screen.findByRole('table');
    const totals = () => screen.getByLabelText('Totals of these rows').textContent;
    expect(totals()).toBe('Orders2Pieces2Goods₦10,000Amount₦11,600');
    fireEvent.change(screen.getByLabelText('Seller'), { target: { value: 's1' } });
    await waitFor(() => expect(router.state.location.search).toContain('seller=s1'));
    fireEvent.change(screen.getByLabelText('Paid to'), { target: { value: '2020-01-01' } });
    expect(await screen.findByText('No transaction matches')).toBeTruthy();
    screen.getByRole('button', { name: 'Show all' }).focus();
    press('Show all');
    await waitFor(() => expect(totals()).toContain('Orders2'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('says why a delivered record cannot be removed', async () => {
    expectErrors(/A dispute is open\./);
    asHead();
    server.use(
      http.delete('*/v1/buyers/:id', () =>
        HttpResponse.json(
          { message: 'A dispute is open.', code: 'bank_undecided' },
          { status: 409 },
        ),
      ),
    );
    renderAt(address, pages);
    await screen.findByRole('table');
    press('remove delivered');
    press('Remove');
    await waitFor(() =>
      expect(toastTexts).toEqual(['1 of 1 records were not removed. A dispute is open.']),
    );
  });

  it.each([
    ['counts a record as removed that is gone', 200, '1 delivered record removed'],
    [
      'says that nobody knows what was removed',
      403,
      'Of 1 of 1 records no answer came. Refresh the table to see whether they are removed.',
    ],
  ])(
    '%s, where the answer was lost and the table is answered with %i',
    async (_, status, words) => {
      expectErrors(/The market cannot answer just now/);
      if (status === 403) expectErrors(/That did not work\./);
      asHead();
      renderAt(address, pages);
      await screen.findByRole('table');
      server.use(
        http.delete('*/v1/buyers/:id', () => {
          const result = [aTransaction()];
          server.use(
            http.get('*/v1/buyers/transactions', () =>
              HttpResponse.json({ ok: true, result, nextCursor: null }, { status }),
            ),
          );
          return new HttpResponse(null, { status: 502 });
        }),
      );
      press('remove delivered');
      press('Remove');
      await waitFor(() => expect(toastTexts).toEqual([words]));
    },
  );

  it('removes the delivered records after asking, and reads the table again', async () => {
    asHead();
    const removed = removals();
    renderAt(address, pages);
    await screen.findByRole('table');
    const opener = screen.getByRole('button', { name: 'remove delivered' });
    const result = [aTransaction()];
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result, nextCursor: null }),
      ),
    );
    opener.focus();
    fireEvent.click(opener);
    press('Remove');
    await waitFor(() => expect(toastTexts).toEqual(['1 delivered record removed']));
    expect(removed).toEqual(['t2']);
    await waitFor(() => expect(opener.getAttribute('aria-disabled')).toBe('true'));
    expect(document.activeElement).toBe(opener);
    fireEvent.click(opener);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the focus on the button that has turned to the last rows', async () => {
    asHead();
    const result = Array.from({ length: 26 }, (_, n) =>
      aTransaction({ transaction_id: `n${n}`, buyer_id: `n${n}` }),
    );
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result, nextCursor: null }),
      ),
    );
    renderAt(address, pages);
    await screen.findByRole('table');
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    fireEvent.click(next);
    await screen.findByText(/^26 to 26 of/);
    expect([next.disabled, next.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    fireEvent.click(next);
    expect(screen.getByText(/^26 to 26 of/)).toBeTruthy();
    const back = screen.getByRole<HTMLButtonElement>('button', { name: 'Back' });
    fireEvent.click(back);
    await screen.findByText(/^1 to 25 of/);
    expect([back.disabled, back.getAttribute('aria-disabled')]).toEqual([false, 'true']);
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

  it('says that nobody knows what was removed, where the answer was lost and the page was left', async () => {
    expectErrors(/The market cannot answer just now/);
    asHead();
    const { router } = renderAt(address, pages);
    await screen.findByRole('table');
    server.use(
      http.delete('*/v1/buyers/:id', async () => {
        await act(() => router.navigate('/admin-dashboard/t1'));
        return new HttpResponse(null, { status: 502 });
      }),
    );
    press('remove delivered');
    press('Remove');
    await waitFor(() => expect(toastTexts[0]).toMatch(/^Of 1 of 1 records no answer came\./));
  });

  it('calls no record removed where the session has ended', async () => {
    const ended = 'Your session has ended. Please log in again.';
    expectErrors(new RegExp(ended));
    asHead();
    renderAt(address, pages);
    await screen.findByRole('table');
    server.use(
      http.delete('*/v1/buyers/:id', () =>
        HttpResponse.json({ success: false, message: ended }, { status: 401 }),
      ),
    );
    press('remove delivered');
    press('Remove');
    await waitFor(() => expect(toastTexts).toEqual([`1 of 1 records were not removed. ${ended}`]));
  });

  it('stops removing when told to, and says how many were removed', async () => {
    asHead();
    const ids = Array.from({ length: 10 }, (_, i) => `d${i}`);
    const result = ids.map((buyer_id) => ({ ...delivered, transaction_id: buyer_id, buyer_id }));
    const asked: string[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get('*/v1/buyers/transactions', () =>
        HttpResponse.json({ ok: true, result, nextCursor: null }),
      ),
      http.delete('*/v1/buyers/:id', async ({ params }) => {
        asked.push(String(params.id));
        await answered;
        return HttpResponse.json({ success: true, message: 'ok' });
      }),
    );
    renderAt(address, pages);
    await screen.findByRole('table');
    press('remove delivered');
    press('Remove');
    await waitFor(() => expect(asked).toHaveLength(4));
    const stop = screen.getByRole('button', { name: 'Stop' });
    expect(document.activeElement).toBe(stop);
    fireEvent.click(stop);
    // What was sent is awaited: only then is it known what was removed.
    await waitFor(() => expect(stop.getAttribute('aria-busy')).toBe('true'));
    answer();
    await waitFor(() =>
      expect(toastTexts).toEqual(['4 of 10 records removed. The others were kept.']),
    );
    expect(asked).toEqual(ids.slice(0, 4));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says when it cannot be read again, and keeps what it shows', async () => {
    expectErrors(/That did not work\./);
    asHead();
    renderAt(address, pages);
    await screen.findByRole('table');
    server.use(http.get('*/v1/buyers/transactions', () => HttpResponse.json({}, { status: 400 })));
    press('refresh table');
    await waitFor(() => expect(toastTexts).toEqual(['The table shows what was loaded before.']));
    expect(toasts[0]).toMatchObject({ title: 'Failure retrieving the data!' });
    expect(screen.getByRole('table')).toBeTruthy();
    expect(toasts[0]?.action?.label).toBe('Try again');
    act(() => toasts[0]?.action?.onPress());
    await waitFor(() => expect(toastTexts).toHaveLength(2));
  });

  it('says when it cannot be read, and offers a sub-admin no removal', async () => {
    expectErrors(/That did not work\./);
    asSub();
    server.use(http.get('*/v1/buyers/transactions', () => HttpResponse.json({}, { status: 403 })));
    renderAt(address, pages);
    expect(await screen.findByText('Failure retrieving the data!')).toBeTruthy();
    expect(screen.queryByText('One moment')).toBeNull();
    expect(screen.queryByRole('button', { name: 'remove delivered' })).toBeNull();
  });
});
