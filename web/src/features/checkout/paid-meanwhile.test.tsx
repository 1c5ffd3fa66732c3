import { pagePaths } from '@oja/contracts/pages';
import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { anOrder, ORDER_KEY } from '../../../test/orders.js';
import { fill, open, paid, press, setUpPaying, soap, watch } from '../../../test/paying.js';
import { renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { StorefrontLayout } from '../../app/layouts/public-layouts.js';
import { addToCart } from '../../stores/cart.js';
import { changeKept, useKept } from '../../stores/kept.js';
import { currentOrders, dropOrder, keepOrder } from '../../stores/orders.js';
import { type ToastRequest, takeToasts } from '../../ui/toast.js';

const { market, assign, initialize } = setUpPaying();

const toasts: ToastRequest[] = [];
takeToasts((request) => toasts.push(request));

const NOT_PAID = { status: 'pending', paid_at: null, report_from: null } as const;
/** This browser has submitted an order of the watch, and its page of payment was closed. */
function left(change: Parameters<typeof anOrder>[0] = {}): void {
  toasts.length = 0;
  const [line] = anOrder().lines;
  if (line === undefined) throw new Error('an order of nothing');
  const lines = [{ ...line, product_id: watch.product_id, user_id: watch.user_id }];
  market.orders.set(ORDER_KEY, anOrder({ lines, ...change }));
  keepOrder(ORDER_KEY, 'placed', { goods: [watch.product_id] });
}
const cart = () => useKept.getState().itemsAddedToCart.map(({ product_id }) => product_id);

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
    await act(() => void dispatchEvent(new Event('visibilitychange')));
    await screen.findByRole('link', { name: 'Confirm your delivery' });
  });

  it('stays forgotten where the buyer forgets it meanwhile', async () => {
    left();
    storefront();
    await waitFor(() => expect(market.read).toEqual([ORDER_KEY]));
    await act(() => dropOrder(ORDER_KEY));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(currentOrders()).toEqual([]);
  });

  it('is not asked for any more once it has expired', async () => {
    vi.setSystemTime(Date.now() - ORDER_EXPIRES_AFTER_MS - 1);
    keepOrder('old.secret', 'placed', { goods: [watch.product_id] });
    vi.useRealTimers();
    left(NOT_PAID);
    storefront();
    await waitFor(() => expect(market.read).toEqual([ORDER_KEY]));
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
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(market.asked[0]?.body).toMatchObject({ buyerItems: [{ product_id: 'p2' }] });
  });

  it.each([
    ['in the cart', () => addToCart(watch)],
    ['by Single order', () => changeKept(() => ({ singleProductId: watch.product_id }))],
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
    keepOrder('gone.secret', 'placed', { goods: [watch.product_id] });
    initialize(paid);
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
  });
});
