import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer, delayedPage } from '../../../test/delayed.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { queryClient } from '../../api/query-client.js';
import { addToCart } from '../../stores/cart.js';
import {
  changeAuthStorage,
  initialAuthStorage,
  useAuthStorage,
} from '../../stores/persistent-store.js';
import ViewCard from './OpenedProductPage.js';
import Product from './ProductPage.js';
import { givenAttributes } from './product-data.js';

/** Its code never comes here: the tests of what it shows are beside it. */
vi.mock('./OwnerView.js', () => new Promise(() => {}));

const watch = aProduct({
  color: 'Olive',
  gender: 'Male',
  water_resistance: 1,
  image_urls: ['http://localhost/v1/image/a.webp', 'http://localhost/v1/image/b.webp'],
});
const other = aProduct({ product_id: 'p2', prod_name: 'Dress watch' });
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  changeAuthStorage(() => initialAuthStorage);
  server.use(...market([watch, other]));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const pages = [
  { path: pagePaths.product, element: <Product /> },
  { path: pagePaths.openedProduct, element: <ViewCard /> },
];
const open = (address = '/single-product/3/p1') => renderAt(address, pages);
const titled = (name: string) => screen.findByRole('heading', { level: 1, name });
const buy = () => within(screen.getByRole('region', { name: 'Buy' }));

describe('a product’s page', () => {
  it('shows what it is, whose, and where the money is', async () => {
    const { container } = open();
    await titled('Field watch, olive strap');
    const tiles = [...container.querySelectorAll('.ShopperView-tiles div')].map(
      (tile) => tile.textContent,
    );
    expect(tiles).toEqual(['ColorOlive', 'GenderMale', 'Water resistantYes', 'ConditionNew']);
    expect(
      buy()
        .getByRole('link', { name: /Musa & Sons Watches/ })
        .getAttribute('href'),
    ).toBe('/sellers-store/Musa-%26-Sons-Watches');
    expect(container.querySelector('.EscrowNotice-notice')?.textContent).toContain(
      'Held until you confirm delivery',
    );
    await screen.findByRole('heading', { level: 3, name: 'Dress watch' });
    await expectAccessible(container);
  });

  it.each([
    [4_999, 0, 'Delivery fee of ₦800.00'],
    [5_000, 800, 'Delivery fee of ₦800.00'],
    [5_000, 0, 'No fee'],
    [5_001, 800, 'No fee, delivered in 24 hours'],
  ])('promises for ₦%d, where the fee is ₦%d: %s', async (price, deliveryFee, promise) => {
    changeAuthStorage(() => ({ deliveryFee }));
    server.use(...market([{ ...watch, price }]));
    open();
    await titled('Field watch, olive strap');
    const facts = [...document.querySelectorAll('.ShopperView-facts dd')];
    expect(facts[0]?.textContent).toBe(promise);
  });

  it('lets a name and a description of another script run from right to left', async () => {
    const name = 'هاتف سامسونج (128 GB) جديد';
    const description = 'هذا المنتج 100% أصلي!';
    server.use(...market([{ ...watch, prod_name: name, description }]));
    open();
    expect((await titled(name)).dir).toBe('auto');
    expect(screen.getByText(description).dir).toBe('auto');
  });

  it('counts its pictures', async () => {
    const { container } = open();
    await titled('Field watch, olive strap');
    const counter = () =>
      container.querySelector('section[aria-label="Pictures"] [role="status"]')?.textContent;
    expect(counter()).toContain('1/2');
    fireEvent.click(screen.getByRole('button', { name: 'Next picture' }));
    expect(counter()).toContain('2/2');
    fireEvent.click(screen.getByRole('button', { name: 'Next picture' }));
    expect(counter()).toContain('1/2');
  });

  it('has its own order before the buttons of other products', async () => {
    open();
    await titled('Field watch, olive strap');
    const other = await screen.findByRole('button', { name: 'Single order: Dress watch' });
    const bar = screen.getByRole('region', { name: 'Order' });
    expect(bar.compareDocumentPosition(other)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('goes into the cart and out again', async () => {
    open();
    await titled('Field watch, olive strap');
    fireEvent.click(buy().getByRole('button', { name: 'Add to cart' }));
    expect(useAuthStorage.getState().itemsAddedToCart).toMatchObject([
      { product_id: 'p1', quantity: 1 },
    ]);
    fireEvent.click(buy().getByRole('button', { name: 'Remove from cart' }));
    expect(useAuthStorage.getState().itemsAddedToCart).toEqual([]);
  });

  it('orders the one product', async () => {
    const { router } = open();
    await titled('Field watch, olive strap');
    fireEvent.click(buy().getByRole('button', { name: 'Single order' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/cart-contents/single'));
    expect(useAuthStorage.getState().singleProductId).toBe('p1');
  });

  it('keeps the similar products when they could not be read again', async () => {
    expectErrors(/ApiError: no/);
    open();
    await screen.findByRole('heading', { level: 3, name: 'Dress watch' });
    server.use(
      http.get('*/v1/products/search', () => HttpResponse.json({ message: 'no' }, { status: 400 })),
    );
    await act(() => queryClient.refetchQueries());
    await screen.findByRole('heading', { level: 3, name: 'Dress watch' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('says when nothing is like it', async () => {
    server.resetHandlers(...market([watch]));
    open();
    await screen.findByRole('heading', { name: 'No similar product currently available...' });
  });

  it('says so when there is no such product', async () => {
    const { container } = open('/single-product/3/gone');
    await titled('This product is not on the market');
    await expectAccessible(container);
  });

  it('cannot be bought while it is unavailable', async () => {
    server.resetHandlers(...market([{ ...watch, status: 'UNAVAILABLE' }]));
    open();
    await titled('Field watch, olive strap');
    expect(screen.getByText('Not available just now')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Single order' })).toBeNull();
  });

  it.each([{ stock: 0 }, { status: 'UNAVAILABLE' as const }])(
    'leaves the cart also when it cannot be bought any more: %o',
    async (change) => {
      server.resetHandlers(...market([{ ...watch, ...change }]));
      addToCart(watch);
      open();
      await titled('Field watch, olive strap');
      fireEvent.click(buy().getByRole('button', { name: 'Remove from cart' }));
      expect(useAuthStorage.getState().itemsAddedToCart).toEqual([]);
      expect(buy().queryByRole('button', { name: /cart/ })).toBeNull();
      expect(document.activeElement?.tagName).toBe('H1');
    },
  );

  it.each([
    [0, 'Sold out', false],
    [2, 'Only 2 left', true],
  ])('says when %i are left: %s', async (stock, words, canBuy) => {
    server.resetHandlers(...market([{ ...watch, stock }]));
    const { container } = open();
    await titled('Field watch, olive strap');
    expect(buy().getByText(words)).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: 'Single order' }).length > 0).toBe(canBuy);
    await expectAccessible(container);
  });

  it('has one address, whatever subcategory a link names', async () => {
    const { router } = open('/single-product/99/p1');
    await titled('Field watch, olive strap');
    expect(router.state.location.pathname).toBe('/single-product/3/p1');
  });

  it('offers another try when it did not load', async () => {
    expectErrors(/ApiError: no/);
    server.use(
      http.get('*/v1/product/:id', () => HttpResponse.json({ message: 'no' }, { status: 403 })),
    );
    open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers(...market([watch]));
    fireEvent.click(again);
    await titled('Field watch, olive strap');
  });
});

describe('its owner', () => {
  beforeEach(() => {
    server.use(http.get('*/v1/refresh-token', () => HttpResponse.json({ accessToken: 't' })));
    changeAuthStorage(() => ({ user: aSeller({ user_id: 's1' }) }));
  });

  it('reads on in the shoppers’ page, which the server rendered, until the own one has come', async () => {
    open();
    await titled('Field watch, olive strap');
  });

  it('sees it as shoppers do when they ask to', async () => {
    open('/single-product/3/p1?view=shopper');
    await titled('Field watch, olive strap');
    expect(buy().getByRole('button', { name: 'Single order' })).toBeTruthy();
  });
});

describe('/view-card', () => {
  it('shows the product whose card was pressed, and becomes the address that can be shared', async () => {
    changeAuthStorage(() => ({ pid: 'p2' }));
    const { router } = open('/view-card');
    await titled('Dress watch');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p2'));
    expect(router.state.historyAction).toBe('REPLACE');
    // Whoever scrolls a page that is slow to come stays there.
    expect(router.state.preventScrollReset).toBe(true);
  });

  it.each([
    ['from a card', { pid: 'p1' }],
    ['by its address alone', null],
  ])('shows no product that another tab opens meanwhile: %s', async (_, state) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(http.get('*/v1/product/:id', () => answered));
    changeAuthStorage(() => ({ pid: 'p1' }));
    const { router } = open('/elsewhere');
    await act(() => router.navigate('/view-card', { state }));
    act(() => changeAuthStorage(() => ({ pid: 'p2' })));
    answer();
    await titled('Field watch, olive strap');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
  });

  it('leads nobody back who is on the way elsewhere when the product comes', async () => {
    const product = delayedAnswer(() => HttpResponse.json({ success: true, result: watch }));
    server.use(http.get('*/v1/product/:id', product.resolver));
    changeAuthStorage(() => ({ pid: 'p1' }));
    const cart = delayedPage('/cart-contents/multiple-order');
    const { router } = renderAt('/view-card', [...pages, cart.route]);
    await act(async () => void router.navigate('/cart-contents/multiple-order'));
    product.release();
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['products', 'one'] })).toBe(0));
    await allIsSaid();
    cart.release();
    await screen.findByText('/cart-contents/multiple-order');
    expect(router.state.location.pathname).toBe('/cart-contents/multiple-order');
  });

  it('says so when no card was pressed', async () => {
    open('/view-card');
    await titled('This product is not on the market');
  });
});

it('names the attributes of a product in the order of its subcategory', () => {
  const soap = aProduct({ subcategory_id: 13, weight: '150 g', type: 'Bar', category: 'Body' });
  expect(givenAttributes(soap).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Type: Bar',
    'Weight: 150 g',
    'Category: Body',
    'Condition: New',
  ]);
});
