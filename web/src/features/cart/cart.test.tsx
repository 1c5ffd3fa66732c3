import { pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { readEverythingAgain, renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { ToastHost } from '../../app/Shell.js';
import { addToCart, startSingleOrder } from '../../stores/cart.js';
import { setQuantity } from '../../stores/cart-checkout.js';
import {
  changeAuthStorage,
  initialAuthStorage,
  useAuthStorage,
} from '../../stores/persistent-store.js';
import Cart from './CartPage.js';

const watch = aProduct({ price: 4_000 });
const strap = aProduct({ product_id: 'p2', prod_name: 'Leather strap', price: 600 });
const soap = aProduct({
  product_id: 'p3',
  user_id: 's2',
  prod_name: 'Black soap',
  businessName: 'Mama Nkechi Beauty',
  price: 1_035,
});
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  changeAuthStorage(() => initialAuthStorage);
  server.use(...market([watch, strap, soap]));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (mode = 'multiple-order') =>
  renderAt(`/cart-contents/${mode}`, [
    {
      path: pagePaths.cart,
      element: (
        <>
          <Cart />
          <ToastHost />
        </>
      ),
    },
  ]);
const seller = (name: string) => within(screen.getByRole('region', { name }));
const summary = () => screen.getByRole('complementary', { name: 'Cart Summary' }).textContent;
const rows = () => document.querySelectorAll('.SellerPanel-product').length;

describe('the cart', () => {
  it('has a panel a seller with what comes from them, and the sum of all', async () => {
    for (const product of [watch, soap, strap]) addToCart(product);
    const { container } = open();
    const musa = seller('Musa & Sons Watches');
    expect(musa.getAllByRole('listitem')).toHaveLength(2);
    expect(musa.getByText('₦4,600')).toBeTruthy();
    expect(seller('Mama Nkechi Beauty').getAllByText('₦1,035')).toHaveLength(1);
    expect(summary()).toContain('3 products, 3 pieces₦5,635');
    expect(summary()).toContain('Delivery fee₦0');
    expect(summary()).toContain('Total₦5,635');
    await expectAccessible(container);
  });

  it('changes quantities by one, between 1 and 99, and the fee with them', () => {
    addToCart(watch);
    open();
    expect(summary()).toContain('Delivery fee₦800');
    const fewer = () => screen.getByRole('button', { name: 'Fewer' });
    const more = () => screen.getByRole('button', { name: 'More' });
    expect(fewer().getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(more());
    expect(summary()).toContain('1 product, 2 pieces₦8,000');
    expect(summary()).toContain('Delivery fee₦0');
    for (let n = 2; n < 99; n += 1) fireEvent.click(more());
    expect(more().getAttribute('aria-disabled')).toBe('true');
    expect(summary()).toContain('99 pieces');
  });

  it('says how much more makes delivery free, until it is', () => {
    addToCart(watch);
    open();
    expect(screen.getByText('₦1,001 more for free delivery')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(screen.queryByText(/more for free delivery/)).toBeNull();
  });

  it('takes a product out and puts it back where it stood', async () => {
    for (const product of [watch, strap]) addToCart(product);
    open();
    fireEvent.click(screen.getByRole('button', { name: /^Remove.*Field watch/ }));
    expect(rows()).toBe(1);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }, { timeout: 5_000 }));
    expect(useAuthStorage.getState().itemsAddedToCart.map((item) => item.product_id)).toEqual([
      'p1',
      'p2',
    ]);
  });

  it('keeps the focus on the page when the last product is taken out', async () => {
    addToCart(watch);
    open();
    fireEvent.click(screen.getByRole('button', { name: /^Remove/ }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Oops!!! Cart is empty'));
  });

  it('leads to the payment form', () => {
    addToCart(watch);
    open();
    for (const link of screen.getAllByRole('link', { name: 'Proceed to Checkout' }))
      expect(link.getAttribute('href')).toBe('/payment-form');
  });

  it('bars the checkout of more than one order may cost', async () => {
    const dear = { ...watch, price: limits.orderAmount.max / 100 };
    server.use(...market([dear]));
    addToCart(dear);
    open();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getAllByRole('link', { name: 'Proceed to Checkout' })).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(screen.getByRole('alert').textContent).toBe(
      'One order can come to ₦10,000,000 at most. Remove something.',
    );
    expect(screen.queryByRole('link', { name: 'Proceed to Checkout' })).toBeNull();
  });

  it('is empty with the way to the market', async () => {
    const { container } = open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Oops!!! Cart is empty');
    await expectAccessible(container);
  });

  it.each(['single', 'single order', 'multiple-order', 'anything'])(
    'is whole in every mode: %s',
    (mode) => {
      addToCart(soap);
      startSingleOrder(watch);
      open(encodeURIComponent(mode));
      expect(rows()).toBe(2);
      const marked = [
        ...document.querySelectorAll(
          '.SellerPanel-product.SellerPanel-chosen .ProductCard-sellerName',
        ),
      ];
      expect(marked.map((one) => one.textContent)).toEqual(
        mode.startsWith('single') ? ['Field watch, olive strap'] : [],
      );
    },
  );
});

describe('what has changed meanwhile', () => {
  it('is the price: the cart has the one of now, and says what it was', async () => {
    addToCart({ ...watch, price: 3_500 });
    open();
    await screen.findByText(/The seller changed the price. It was/);
    expect(summary()).toContain('Total₦4,800');
    expect(useAuthStorage.getState().itemsAddedToCart[0]?.price).toBe(4_000);
  });

  it('is the price, twice: the cart still says what it was at first', async () => {
    addToCart({ ...watch, price: 3_500 });
    open();
    await screen.findByText(/It was/);
    server.use(...market([{ ...watch, price: 4_500 }]));
    await readEverythingAgain();
    await waitFor(() => expect(summary()).toContain('Total₦5,300'));
    expect(screen.getByText(/It was/).textContent).toContain('₦3,500');
  });

  it('is measured against what the market says now, not against an earlier visit', async () => {
    addToCart({ ...watch, price: 3_500 });
    const { router } = open();
    await screen.findByText(/It was/);
    await act(() => router.navigate('/'));

    server.resetHandlers(...market([{ ...watch, price: 4_500 }]));
    changeAuthStorage(() => initialAuthStorage);
    addToCart({ ...watch, price: 4_500 });
    await act(() => router.navigate('/cart-contents/multiple-order'));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByText(/It was/)).toBeNull();
    expect(useAuthStorage.getState().itemsAddedToCart[0]?.price).toBe(4_500);
  });

  it.each([
    ['taken down', [soap]],
    ['unavailable', [soap, { ...watch, status: 'UNAVAILABLE' as const }]],
    ['of a suspended seller', [soap, { ...watch, is_suspended: 1 as const }]],
  ])('is named, not counted, and bars the checkout until it is out: %s', async (_, goods) => {
    server.resetHandlers(...market(goods));
    for (const product of [watch, soap]) addToCart(product);
    const { container } = open();
    const gone = within(await screen.findByRole('status', { name: 'No longer available' }));
    expect(gone.getByText('Field watch, olive strap')).toBeTruthy();
    expect(summary()).toContain('1 product, 1 piece₦1,035');
    expect(screen.queryByRole('link', { name: 'Proceed to Checkout' })).toBeNull();
    await expectAccessible(container);
    fireEvent.click(gone.getByRole('button', { name: 'Remove it from the cart' }));
    await waitFor(() =>
      expect(screen.getAllByRole('link', { name: 'Proceed to Checkout' })).toHaveLength(2),
    );
    expect(useAuthStorage.getState().itemsAddedToCart.map((item) => item.product_id)).toEqual([
      'p3',
    ]);
  });

  it('is the last one sold: it is named, and paying waits until it is out', async () => {
    for (const product of [watch, soap]) addToCart(product);
    server.use(...market([{ ...watch, stock: 0 }, soap]));
    const { container } = open();
    const gone = within(await screen.findByRole('status', { name: 'No longer available' }));
    expect(gone.getByText(', sold out')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Proceed to Checkout' })).toBeNull();
    await expectAccessible(container);
  });

  it('is how many there are: no more can be ordered, and fewer must be', async () => {
    addToCart(watch);
    setQuantity('p1', 's1', 3);
    server.use(...market([{ ...watch, stock: 2 }]));
    open();
    expect((await screen.findByRole('alert')).textContent).toContain('Only 2 left.');
    const more = () => screen.getByRole('button', { name: 'More' });
    expect(more().getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('link', { name: 'Proceed to Checkout' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Fewer' }));
    expect(screen.getByText('The seller has no more.')).toBeTruthy();
    expect(more().getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByRole('link', { name: 'Proceed to Checkout' }).length).toBeGreaterThan(0);
  });

  it('does not matter while the market cannot be reached', () => {
    server.resetHandlers();
    addToCart(watch);
    open();
    expect(summary()).toContain('Total₦4,800');
  });
});
