import { pagePaths } from '@oja/contracts/pages';
import { DAY_MS, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import {
  asHead,
  asSub,
  aTransaction,
  disputed,
  musa,
  openAdmin,
  press,
} from '../../../test/admin.js';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { signOut } from '../../stores/session.js';
import Order from './TransactionPage.js';

const pages = [{ path: pagePaths.transaction, element: <Order /> }];
const { server, toastTexts } = openAdmin();

describe('a transaction', () => {
  it('has its number for a heading, and its ID, reference and phone number to copy', async () => {
    asHead();
    const id = '10aad119-55ff-5003-b2be-e166dd5e1668';
    const order = aTransaction({ transaction_id: id, reference: `${id}-2` });
    server.use(
      http.get(`*/v1/transactions/${id}`, () => HttpResponse.json({ ok: true, result: order })),
    );
    const written = vi.fn(async () => {});
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
    const { container } = renderAt(`/admin-dashboard/${id}`, pages);
    expect(await screen.findByRole('heading', { level: 1, name: /^Order 10AAD119/ })).toBeTruthy();
    for (const what of ['the transaction ID', 'the reference', 'the phone number'])
      press(`Copy ${what}`);
    expect(written.mock.calls).toEqual([[id], [`${id}-2`], ['09026451180']]);
    await expectAccessible(container);
  });

  const imagesAnswer = (body: object, status: number) =>
    server.use(http.get('*/v1/products/p1/images', () => HttpResponse.json(body, { status })));

  it.each([
    [{ success: false }, 404, 'No image with that product_id'],
    [{ success: false }, 403, 'Error fetching product image'],
  ])('says what became of the pictures', async (body, status, words) => {
    if (status === 403) expectErrors(/That did not work\./);
    asHead();
    imagesAnswer(body, status);
    renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('says whom to call and where to collect, for whoever arranges the delivery', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    const written = vi.fn(async () => {});
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
    const { container } = renderAt('/admin-dashboard/t1', pages);
    const part = within(await screen.findByRole('region', { name: 'Goods of Musa & Sons' }));
    const phone = await part.findByRole('link', { name: musa.phone_1 ?? '' });
    expect(phone.getAttribute('href')).toBe(`tel:${musa.phone_1}`);
    expect(await part.findByText('Collect in Apapa, Lagos')).toBeTruthy();
    press('Copy the phone number of Musa & Sons');
    expect(written.mock.calls).toEqual([[musa.phone_1]]);
    await expectAccessible(container);
  });

  it.each([
    [404, 'absent'],
    [400, 'said'],
  ])('without a place (%s): %s', async (status, words) => {
    if (words === 'said') expectErrors(/That did not work\./);
    asSub();
    imagesAnswer({ success: true, result: [] }, 200);
    server.use(http.get('*/v1/product/p1', () => HttpResponse.json({}, { status })));
    renderAt('/admin-dashboard/t1', pages);
    expect(await screen.findByText('No image with that product_id')).toBeTruthy();
    if (words === 'said')
      expect(await screen.findByText('Error fetching where to collect it')).toBeTruthy();
    expect(screen.queryByText(/^Collect in/)).toBeNull();
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
    await waitFor(() => expect(toastTexts).toEqual(['The dispute is settled']));
    expect(sent).toEqual({ sellerId: 's1', outcome: 'release' });
  });

  /** The market releases the share, and answers so. */
  const isReleased = (answer: () => Response) => {
    const released = aTransaction({
      recieved: 'DELIVERED',
      shares: disputed.shares.map((share) => ({ ...share, status: 'released' })),
    });
    server.use(
      http.post('*/v1/transactions/t1/resolve', () => {
        server.use(
          http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: released })),
        );
        return answer();
      }),
    );
  };

  it('goes on at its heading once it is settled, as the buttons are gone', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    isReleased(() => HttpResponse.json({ success: true, message: 'The dispute is settled' }));
    renderAt('/admin-dashboard/t1', pages);
    await screen.findByText('It is broken.');
    press('Release to the seller');
    press('Release');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Release to the seller' })).toBeNull(),
    );
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('keeps no note for the other decision, and stays open while it is sent', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post('*/v1/transactions/t1/resolve', async () => {
        await answered;
        return HttpResponse.json({ success: false, message: 'Not today' }, { status: 409 });
      }),
    );
    renderAt('/admin-dashboard/t1', pages);
    await screen.findByText('It is broken.');
    press('Refund the buyer');
    fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'For the refund' } });
    press('Not now');
    press('Release to the seller');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('');
    press('Release');
    await screen.findByRole('button', { name: 'Release', busy: true });
    press('Not now');
    answer();
    expect((await screen.findByRole('alert')).textContent).toContain('Not today');
  });

  it('keeps a note over a dialog that is closed and a session that ends, until it is sent', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    isReleased(() => HttpResponse.json({ success: true, message: 'The dispute is settled' }));
    const open = async () => {
      renderAt('/admin-dashboard/t1', pages);
      await screen.findByText('It is broken.');
    };
    const note = () => screen.getByLabelText<HTMLTextAreaElement>(/^Note/);
    await open();
    press('Release to the seller');
    fireEvent.change(note(), { target: { value: 'The rider saw it whole' } });
    press('Not now');
    press('Release to the seller');
    expect(note().value).toBe('The rider saw it whole');
    act(() => signOut());
    cleanup();
    asHead();
    await open();
    press('Release to the seller');
    expect(note().value).toBe('The rider saw it whole');
    press('Release');
    await waitFor(() => expect(toastTexts).toEqual(['The dispute is settled']));
    expect(sessionStorage).toHaveLength(0);
  });

  it('is shown as another head admin settled it, where that came first', async () => {
    asHead();
    imagesAnswer({ success: true, result: [] }, 200);
    const refunded = aTransaction({
      recieved: 'REFUNDED',
      shares: disputed.shares.map((share) => ({ ...share, status: 'refunded' })),
    });
    server.use(
      http.post('*/v1/transactions/t1/resolve', () => {
        server.use(
          http.get('*/v1/transactions/t1', () => HttpResponse.json({ ok: true, result: refunded })),
        );
        return HttpResponse.json({ success: false, message: 'No dispute' }, { status: 409 });
      }),
    );
    renderAt('/admin-dashboard/t1', pages);
    await screen.findByText('It is broken.');
    const receives = () => screen.getByText(/^The seller receives/).textContent;
    expect(receives()).not.toBe('The seller receives ₦0');
    press('Release to the seller');
    press('Release');
    expect((await screen.findByRole('alert')).textContent).toContain('No dispute');
    expect(await screen.findAllByText('Refunded')).toHaveLength(3);
    expect(receives()).toBe('The seller receives ₦0');
    press('OK');
    expect(screen.queryByRole('button', { name: /Release|Refund/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  describe('whose decision was not answered', () => {
    const said502 = () => new HttpResponse(null, { status: 502 });
    const NO_ANSWER = 'The market cannot answer just now. Try again.';

    it('is decided by the same request, also in a dialog that was opened again', async () => {
      asHead();
      imagesAnswer({ success: true, result: [] }, 200);
      const keys: (string | null)[] = [];
      server.use(
        http.post('*/v1/transactions/t1/resolve', ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          if (keys.length < 3) return said502();
          return HttpResponse.json({ success: true, message: 'The dispute is settled' });
        }),
      );
      renderAt('/admin-dashboard/t1', pages);
      await screen.findByText('It is broken.');
      press('Release to the seller');
      press('Release');
      expect((await screen.findByRole('alert')).textContent).toBe(NO_ANSWER);
      press('Release');
      await waitFor(() => expect(keys).toHaveLength(2));
      await screen.findByRole('alert');
      press('Not now');
      press('Release to the seller');
      press('Release');
      await waitFor(() => expect(toastTexts).toEqual(['The dispute is settled']));
      expect(new Set(keys).size).toBe(1);
    });

    it('says that it is settled, and offers no decision any more', async () => {
      asHead();
      imagesAnswer({ success: true, result: [] }, 200);
      isReleased(said502);
      const { container } = renderAt('/admin-dashboard/t1', pages);
      await screen.findByText('It is broken.');
      press('Release to the seller');
      press('Release');
      const dialog = within(screen.getByRole('dialog'));
      expect((await dialog.findByRole('status')).textContent).toContain('settled: Released');
      expect(dialog.queryByRole('alert')).toBeNull();
      expect(dialog.queryByText(/This cannot be taken back/)).toBeNull();
      expect(dialog.queryByRole('button', { name: 'Release' })).toBeNull();
      expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'OK' }));
      await expectAccessible(container);
      press('OK');
      expect(screen.queryByRole('dialog')).toBeNull();
    });
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
    await waitFor(() => expect(toastTexts).toEqual(['It is settled']));
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
