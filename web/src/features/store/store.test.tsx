import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { changeAuthStorage, initialAuthStorage } from '../../stores/persistent-store.js';
import { TYPING_PAUSE_MS } from '../../ui/use-value.js';
import { StoreLayout } from './StoreFrame.js';
import Store from './StorePage.js';

const ours = { user_id: 's7', businessName: 'Coal City Footwear' };
const goods = [
  aProduct({ product_id: 'a', prod_name: 'Court heels', ...ours }),
  aProduct({ product_id: 'b', prod_name: 'Runner, honey', ...ours }),
  aProduct({ product_id: 'c' }),
];
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => server.use(...market(goods)));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (address = '/sellers-store/Coal-City-Footwear') =>
  renderAt(address, [
    {
      element: <StoreLayout />,
      children: [{ path: pagePaths.store, element: <Store /> }],
    },
  ]);
const names = () => screen.queryAllByRole('heading', { level: 3 }).map((one) => one.textContent);
const shows = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected));
const box = () => screen.getByPlaceholderText('What are you looking for...');
const type = (text: string) =>
  act(async () => fireEvent.change(box(), { target: { value: text } }));

describe('a store', () => {
  it('rings above while a delivery is unconfirmed, as other pages do', async () => {
    open();
    await shows('Court heels', 'Runner, honey');
    expect(screen.queryByRole('link', { name: 'Confirm your delivery' })).toBeNull();
    await act(async () => changeAuthStorage(() => ({ status: 'Pending' })));
    expect(screen.getByRole('link', { name: 'Confirm your delivery' })).toBeTruthy();
    await act(async () => changeAuthStorage(() => initialAuthStorage));
  });

  it('welcomes, says what is known of it, and names its seller on no card', async () => {
    const { container } = open();
    await shows('Court heels', 'Runner, honey');
    const facts = within(screen.getByRole('main')).getAllByRole('listitem');
    expect(screen.getByText('Welcome to')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Coal City Footwear');
    expect(facts.map((fact) => fact.textContent)).toEqual([
      'Apapa, Lagos',
      'Selling since April 2023',
      '214 orders confirmed',
    ]);
    expect(container.querySelector('a.ProductCard-seller')).toBeNull();
    await expectAccessible(container);
  });

  it('is searched by name, and the words stay while there are fewer than three letters', async () => {
    const { router } = open();
    await shows('Court heels', 'Runner, honey');
    await type('honey');
    await shows('Runner, honey');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await type('ho');
    expect(router.state.location.search).toBe('?query=ho');
    await act(() => vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS));
    vi.useRealTimers();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(names()).toEqual(['Runner, honey']);
  });

  it('shows all again after a search that found nothing', async () => {
    open('/sellers-store/Coal-City-Footwear?query=gold');
    await screen.findByRole('heading', { name: 'Nothing in this store is called “gold”' });
    const button = screen.getByRole('button', { name: 'Show all of this store' });
    button.focus();
    fireEvent.click(button);
    await shows('Court heels', 'Runner, honey');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('is not called empty after such a search, before its goods were read', async () => {
    open('/sellers-store/Coal-City-Footwear?query=gold');
    await screen.findByRole('heading', { name: 'Nothing in this store is called “gold”' });
    server.use(http.get('*/v1/products/search', () => delay('infinite')));
    fireEvent.click(screen.getByRole('button', { name: 'Show all of this store' }));
    await waitFor(() => expect(queryClient.isFetching()).toBe(1));
    expect(screen.queryByRole('heading', { name: /nothing/i })).toBeNull();
    expect(screen.getByRole('heading', { level: 2, name: '2 products' })).toBeTruthy();
  });

  it('leads home when the search is closed', async () => {
    const { router } = open();
    await shows('Court heels', 'Runner, honey');
    await type('h');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Clear search' })));
    expect(router.state.location.pathname).toBe('/');
  });

  it('is sorted from Z to A', async () => {
    open();
    await shows('Court heels', 'Runner, honey');
    fireEvent.change(screen.getByRole('combobox', { name: 'Sort' }), { target: { value: 'Z-A' } });
    await shows('Runner, honey', 'Court heels');
  });

  it('keeps the order that was chosen when it is searched before that is drawn', async () => {
    const { router } = open();
    await shows('Court heels', 'Runner, honey');
    const asked = () => router.state.location.search;
    // React renders nothing before this act ends.
    await act(async () => {
      fireEvent.change(screen.getByRole('combobox', { name: 'Sort' }), {
        target: { value: 'Z-A' },
      });
      await vi.waitFor(() => expect(asked()).toBe('?sort=Z-A'));
      fireEvent.change(box(), { target: { value: 'honey' } });
      await vi.waitFor(() => expect(asked()).toContain('query=honey'));
    });
    expect(asked()).toContain('sort=Z-A');
  });

  it('says so when there is none of this name', async () => {
    const { container } = open('/sellers-store/nobody');
    await screen.findByRole('heading', { level: 1, name: 'There is no store of this name' });
    await expectAccessible(container);
  });
});
