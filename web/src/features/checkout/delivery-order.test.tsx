import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { delayedAnswer, delayedPage } from '../../../test/delayed.js';
import { heading, newKey, open, question, setUpDelivery, stageOf } from '../../../test/delivery.js';
import { anOrder } from '../../../test/orders.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import { saveOrder, setDeliveryStatus } from '../../stores/orders.js';
import { useAuthStorage } from '../../stores/persistent-store.js';
import Confirmation from './DeliveryConfirmationPage.js';

const { placed, server } = setUpDelivery();
const amountHeld = () => screen.getByText(/No keeps your/).textContent;

/** What a reload keeps: the address, and the state of its entry in the history. */
function reload({ router, unmount }: ReturnType<typeof open>) {
  const { location } = router.state;
  unmount();
  return open(location);
}

describe('the order that a delivery confirmation is about', () => {
  it('asks about the newest unconfirmed order, and lists the others', async () => {
    const older = placed({ amount: 9_000 });
    const newest = placed();
    saveOrder(older, 'paid');
    saveOrder(newest, 'paid');
    const { container } = open();
    await question();
    expect(screen.getByRole('heading', { name: 'Have you received the product?' })).toBeTruthy();
    expect(screen.getByText(/2 × .*from Adunni Textiles/)).toBeTruthy();
    const others = within(screen.getByRole('region', { name: 'Your other orders' }));
    const other = await others.findByRole('button');
    expect(other.textContent).toContain('₦9,000');
    await expectAccessible(container);
    other.focus();
    fireEvent.click(other);
    expect((await screen.findByText(/No keeps your/)).textContent).toContain('₦9,000');
    expect(document.activeElement).toBe(heading());
  });

  it('asks about the order that was just paid, though a newer one waits for its answer', async () => {
    const paidNow = placed({ amount: 9_000 });
    saveOrder(paidNow, 'paid');
    saveOrder(placed(), 'paid');
    const { router } = renderAt('/paid', [
      { path: '/paid', element: <p>Paid</p> },
      { path: pagePaths.deliveryConfirmation, element: <Confirmation /> },
    ]);
    await act(() =>
      router.navigate(pagePaths.deliveryConfirmation, { state: { orderKey: paidNow } }),
    );
    expect((await screen.findByText(/No keeps your/)).textContent).toContain('₦9,000');
  });

  it('takes the key of the receipt’s link out of the address and keeps it', async () => {
    const key = placed();
    const { router } = open(`#${key}`);
    await question();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(stageOf(key)).toBe('paid');
    expect(screen.getByRole('button', { name: 'Yes' })).toBeTruthy();
  });

  it('asks about the same order again when the page is loaded again', async () => {
    const older = placed({ amount: 9_000 });
    saveOrder(older, 'paid');
    saveOrder(placed(), 'paid');
    const first = open(`#${older}`);
    await question();
    await waitFor(() => expect(first.router.state.location.hash).toBe(''));
    const again = reload(first);
    await question();
    expect(amountHeld()).toContain('₦9,000');
    const others = within(screen.getByRole('region', { name: 'Your other orders' }));
    fireEvent.click(await others.findByRole('button'));
    await waitFor(() => expect(amountHeld()).toContain('₦39,100'));
    saveOrder(placed({ amount: 12_000 }), 'paid');
    reload(again);
    await waitFor(() => expect(amountHeld()).toContain('₦39,100'));
  });

  it('asks about the newest order still when a newer one was paid meanwhile', async () => {
    saveOrder(placed({ amount: 9_000 }), 'paid');
    const first = open();
    await question();
    saveOrder(placed(), 'paid');
    reload(first);
    await waitFor(() => expect(amountHeld()).toContain('₦9,000'));
  });

  it('keeps nobody from My orders whose order comes meanwhile', async () => {
    const key = placed();
    const order = delayedAnswer(() =>
      HttpResponse.json({ success: true, order: anOrder({ transactionId: key }) }),
    );
    server.use(http.get('*/v1/orders/:key', order.resolver));
    const myOrders = delayedPage(pagePaths.myOrders);
    const { router } = renderAt(`${pagePaths.deliveryConfirmation}#${key}`, [
      { path: pagePaths.deliveryConfirmation, element: <Confirmation /> },
      myOrders.route,
    ]);
    fireEvent.click(screen.getByRole('link', { name: 'My orders on this device' }));
    order.release();
    await question();
    await allIsSaid();
    myOrders.release();
    await screen.findByText(pagePaths.myOrders);
    expect(router.state.location.pathname).toBe(pagePaths.myOrders);
  });

  it('leaves a link to an unknown order for one of this browser', async () => {
    const mine = placed({ amount: 9_000 });
    saveOrder(mine, 'paid');
    open(`#${newKey()}`);
    await screen.findByText('We do not know this order');
    const others = within(await screen.findByRole('region', { name: 'Your other orders' }));
    fireEvent.click(await others.findByRole('button'));
    expect((await screen.findByText(/No keeps your/)).textContent).toContain('₦9,000');
  });

  it('takes an order that nobody knows off its list, and goes on at the heading', async () => {
    const key = newKey();
    saveOrder(key, 'paid');
    open();
    const take = await screen.findByRole('button', { name: 'Take it off my orders' });
    take.focus();
    act(() => take.click());
    expect(stageOf(key)).toBe('closed');
    expect(document.activeElement).toBe(heading());
  });

  it('does not know an order that the server does not know, and leaves nothing behind', async () => {
    const key = newKey();
    const { container } = open(`#${key}`);
    expect(await screen.findByRole('heading', { name: 'We do not know this order' })).toBeTruthy();
    expect(stageOf(key)).toBeUndefined();
    await expectAccessible(container);
  });

  it('finds an order that was paid though its browser never came back', async () => {
    const key = placed();
    saveOrder(placed({ paid_at: null }), 'placed');
    saveOrder(key, 'placed');
    open();
    await question();
    expect(stageOf(key)).toBe('paid');
  });

  it('has nothing to ask without an order, and quietens the bell', async () => {
    setDeliveryStatus('Pending');
    const { container } = open();
    expect(
      await screen.findByRole('heading', { name: 'There is no delivery to confirm' }),
    ).toBeTruthy();
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
    await expectAccessible(container);
  });

  it.each([
    ['the end of the secret', (key: string) => key.slice(0, -3)],
    ['the secret', (key: string) => key.slice(0, 36)],
    ['the end of the number', (key: string) => key.slice(0, 20)],
    ['the number', (key: string) => key.slice(36)],
  ])(
    'says that a link without %s is not complete, and asks about no other order',
    async (_, cut) => {
      const mine = placed({ amount: 9_000 });
      saveOrder(mine, 'paid');
      const { container, router } = open(`#${cut(placed())}`);
      expect(
        await screen.findByRole('heading', { name: 'This link is not complete' }),
      ).toBeTruthy();
      expect(screen.getByText(/Copy the whole link/)).toBeTruthy();
      await expectAccessible(container);
      const others = within(await screen.findByRole('region', { name: 'Your other orders' }));
      fireEvent.click(await others.findByRole('button'));
      expect((await screen.findByText(/No keeps your/)).textContent).toContain('₦9,000');
      expect(router.state.location.hash).toBe('');
    },
  );

  it('takes the way past the header for no link', async () => {
    saveOrder(placed(), 'paid');
    open('#main');
    await question();
  });
});
