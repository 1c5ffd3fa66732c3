import { pagePaths } from '@oja/contracts/pages';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { anOrder, ORDER_KEY } from '../../../test/orders.js';
import { fill, open, paid, press, setUpPaying, soap, watch } from '../../../test/paying.js';
import { renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { StorefrontLayout } from '../../app/layouts/public-layouts.js';
import { addToCart } from '../../stores/cart.js';
import { currentOrders, removeOrder, saveOrder } from '../../stores/orders.js';
import { changeAuthStorage, useAuthStorage } from '../../stores/persistent-store.js';
import { registerToaster, type ToastRequest } from '../../ui/toast.js';
import { loadBuyer } from './draft.js';

const { market, assign, initialize } = setUpPaying();

const toasts: ToastRequest[] = [];
registerToaster((request) => toasts.push(request));

const DAY_MS = 86_400_000;
const OTHER_KEY = '20aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
const NOT_PAID = { status: 'pending', paid_at: null, report_from: null } as const;
/** This browser has submitted an order of the watch, and its page of payment was closed. */
function left(change: Parameters<typeof anOrder>[0] = {}): void {
  toasts.length = 0;
  const [line] = anOrder().lines;
  if (line === undefined) throw new Error('an order of nothing');
  const lines = [{ ...line, product_id: watch.product_id, user_id: watch.user_id }];
  market.orders.set(ORDER_KEY, anOrder({ lines, ...change }));
  saveOrder(ORDER_KEY, 'placed', { goods: [watch.product_id] });
}
const cart = () => useAuthStorage.getState().itemsAddedToCart.map(({ product_id }) => product_id);

describe('an order that was paid, and nobody came back from the payment page', () => {
  const storefront = () =>
    renderAt('/', [
      { element: <StorefrontLayout />, children: [{ path: pagePaths.home, element: <p>Home</p> }] },
    ]);

  it('is noticed on any page of the market: its goods leave the cart, and the bell rings', async () => {
    for (const product of [watch, soap]) addToCart(product);
    left();
    storefront();
    await screen.findByRole('link', { name: 'Confirm your delivery' });
    expect(cart()).toEqual([soap.product_id]);
    expect(toasts.map(({ title }) => title)).toEqual(['Order 10AAD119 is paid']);
  });

  it('is noticed when the buyer comes back to a page that is still there', async () => {
    addToCart(watch);
    left(NOT_PAID);
    storefront();
    await screen.findByText('Home');
    await waitFor(() => expect(market.read).toEqual([ORDER_KEY]));
    expect(cart()).toEqual([watch.product_id]);
    market.orders.set(ORDER_KEY, anOrder());
    await act(async () => void dispatchEvent(new Event('visibilitychange')));
    await screen.findByRole('link', { name: 'Confirm your delivery' });
  });

  it('stays forgotten where the buyer forgets it meanwhile', async () => {
    left();
    storefront();
    await waitFor(() => expect(market.read).toEqual([ORDER_KEY]));
    await act(async () => removeOrder(ORDER_KEY));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(currentOrders()).toEqual([]);
  });

  it('is noticed days later, and asked for no more after two weeks', async () => {
    addToCart(watch);
    vi.setSystemTime(Date.now() - 15 * DAY_MS);
    saveOrder('old.secret', 'placed', { goods: [watch.product_id] });
    vi.setSystemTime(Date.now() + 5 * DAY_MS);
    left();
    vi.useRealTimers();
    storefront();
    await screen.findByRole('link', { name: 'Confirm your delivery' });
    expect([market.read, cart()]).toEqual([[ORDER_KEY], []]);
  });

  it('stays forgotten where another one is left, and another tab has forgotten it', async () => {
    left(NOT_PAID);
    market.orders.set(OTHER_KEY, anOrder({ transactionId: OTHER_KEY, ...NOT_PAID }));
    saveOrder(OTHER_KEY, 'placed', { goods: [soap.product_id] });
    storefront();
    await waitFor(() => expect(market.read).toHaveLength(2));
    await act(async () => removeOrder(ORDER_KEY));
    await act(async () => void dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(market.read.length).toBeGreaterThan(2));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(currentOrders().map(({ key }) => key)).toEqual([OTHER_KEY]);
  });

  it('is asked for also where another tab places it while the page stands', async () => {
    left(NOT_PAID);
    storefront();
    await waitFor(() => expect(market.read).toEqual([ORDER_KEY]));
    market.orders.set(OTHER_KEY, anOrder({ transactionId: OTHER_KEY }));
    await act(async () => saveOrder(OTHER_KEY, 'placed', { goods: [soap.product_id] }));
    await screen.findByRole('link', { name: 'Confirm your delivery' });
  });

  it('leaves the goods in the cart that were refunded since', async () => {
    for (const product of [watch, soap]) addToCart(product);
    const shares = anOrder().shares.map((share) => ({ ...share, status: 'refunded' as const }));
    left({ recieved: 'REFUNDED', shares });
    storefront();
    await waitFor(() => expect(currentOrders()[0]?.stage).toBe('closed'));
    expect([cart(), toasts]).toEqual([[watch.product_id, soap.product_id], []]);
  });
});

describe('the payment form', () => {
  it('does not take the money for goods again that were paid meanwhile', async () => {
    for (const product of [watch, soap]) addToCart(product);
    left();
    initialize(paid);
    open();
    await fill();
    press();
    expect((await screen.findByRole('alert')).textContent).toMatch(/order 10AAD119/i);
    expect([market.asked, cart()]).toEqual([[], [soap.product_id]]);
    // What was typed outlasts the order that is paid: it is wanted for what is left.
    expect(loadBuyer()).toMatchObject({ home_address: '14 Bode Thomas St, Surulere' });
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(market.asked[0]?.body).toMatchObject({ buyerItems: [{ product_id: 'p2' }] });
  });

  it.each([
    ['in the cart', () => addToCart(watch)],
    ['by Single order', () => changeAuthStorage(() => ({ singleProductId: watch.product_id }))],
  ])('says so where nothing else is left to pay for: chosen %s', async (_, choose) => {
    choose();
    left();
    open();
    await fill();
    press();
    await screen.findByRole('heading', { name: 'Oops!!! Cart is empty' });
    expect(toasts.map(({ title }) => title)).toEqual(['Order 10AAD119 is paid']);
    expect(market.asked).toEqual([]);
  });

  it('sends an order whose earlier one is not paid, or cannot be asked about', async () => {
    addToCart(watch);
    left(NOT_PAID);
    saveOrder('gone.secret', 'placed', { goods: [watch.product_id] });
    initialize(paid);
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
  });
});
