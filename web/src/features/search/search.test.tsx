import { pagePaths } from '@oja/contracts/pages';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import { SearchBox } from '../../app/header/SearchHeader.js';
import { changeAuthStorage, initialAuthStorage } from '../../stores/persistent-store.js';
import Search from './SearchPage.js';

const goods = [
  aProduct({ product_id: 'bag', prod_name: 'Leather bag', price: 18_400, local_govt: 'Ikeja' }),
  aProduct({ product_id: 'old', prod_name: 'Old bag', price: 4_000, prod_condition: 'Used' }),
  aProduct({
    product_id: 'tv',
    prod_name: 'LG TV, 55 inch',
    price: 420_000,
    top_category: 'Electronics',
    subcategory_name: 'TVs',
  }),
];
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  changeAuthStorage(() => initialAuthStorage);
  server.use(...market(goods));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (query = '') =>
  renderAt(`/search-items${query}`, [
    {
      path: pagePaths.search,
      element: (
        <>
          <SearchBox />
          <Search />
        </>
      ),
    },
  ]);
const names = () => screen.queryAllByRole('heading', { level: 3 }).map((one) => one.textContent);
const shows = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected));
const found = () => document.querySelector('.Shop-found')?.textContent;

describe('the search page', () => {
  it('is titled All Category, shows new goods from A to Z, and says how many', async () => {
    open();
    await shows('Leather bag', 'LG TV, 55 inch');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('All Category');
    expect(found()).toBe('2 products found');
    expect(document.querySelector('.Shop-found')?.getAttribute('role')).toBe('status');
  });

  it('finds what was pasted with signs that nobody sees, and counts its letters without them', async () => {
    open(`?query=${encodeURIComponent('lea\u00ADther\u200B \u202Abag\u202C')}`);
    await shows('Leather bag');
    cleanup();
    open(`?query=${encodeURIComponent('ba\u200B\u200B')}`);
    expect(await screen.findByText('One more letter, and the search begins.')).toBeTruthy();
  });

  it('takes every filter from the address', async () => {
    open('?query=bag&condition=Used&sort=Z-A&localGovt=Apapa&min_price=1000&max_price=5000');
    await shows('Old bag');
    const chips = within(screen.getByRole('list', { name: 'Filters that are set' }));
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      '₦1,000 to ₦5,000, remove',
      'Lagos state/Apapa LG, remove',
      'Used, remove',
    ]);
  });

  it('puts every choice into the address, and Back takes it away again', async () => {
    const { router } = open('?query=bag');
    await shows('Leather bag');
    fireEvent.click(screen.getByRole('radio', { name: 'Used' }));
    await shows('Old bag');
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      query: 'bag',
      condition: 'Used',
      sort: 'A-Z',
      localGovt: 'All States/Local Govt',
      min_price: '1000',
      max_price: '100000',
    });
    await act(() => router.navigate(-1));
    await shows('Leather bag');
  });

  it('shows any condition once the condition is removed', async () => {
    const { router } = open();
    await shows('Leather bag', 'LG TV, 55 inch');
    fireEvent.click(screen.getByRole('button', { name: /^New.*remove$/ }));
    await shows('Leather bag', 'LG TV, 55 inch', 'Old bag');
    expect(router.state.location.search).toContain('condition=all');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('counts the ads of each category, and narrows by one', async () => {
    open('?query=&condition=all');
    const electronics = await screen.findByRole('link', { name: 'Electronics 1 ad' });
    expect(screen.getByRole('link', { name: 'All Category 3 ads' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Phones and Laptop 0 ads' })).toBeTruthy();
    fireEvent.click(electronics);
    await shows('LG TV, 55 inch');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Electronics');
  });

  it('filters nothing out by price at the full range of the slider', async () => {
    open('?condition=all&min_price=1000&max_price=100000');
    await shows('Leather bag', 'LG TV, 55 inch', 'Old bag');
    const highest = screen.getByRole('slider', { name: 'Highest price' });
    expect(highest.getAttribute('aria-valuenow')).toBe('100000');
  });

  it('breaks no rule of axe', async () => {
    const { container } = open();
    await shows('Leather bag', 'LG TV, 55 inch');
    await expectAccessible(container);
  });
});

describe('typing', () => {
  const type = (text: string) =>
    act(async () =>
      fireEvent.change(screen.getByPlaceholderText('I am looking for...'), {
        target: { value: text },
      }),
    );

  it('searches from three letters on, by words of two letters too', async () => {
    open();
    await shows('Leather bag', 'LG TV, 55 inch');
    await type('lg tv');
    await shows('LG TV, 55 inch');
  });

  it('leaves the words last applied while there are fewer than three letters', async () => {
    const { router } = open('?query=bag&condition=all');
    await shows('Leather bag', 'Old bag');
    await type('ba');
    await waitFor(() => expect(router.state.location.search).toContain('query=ba&'));
    // From here on the list is that of the two letters.
    await screen.findByText('One more letter, and the search begins.');
    fireEvent.change(screen.getByRole('combobox', { name: 'Sort' }), { target: { value: 'Z-A' } });
    await shows('Old bag', 'Leather bag');
  });

  it('has no words on arrival with fewer than three letters', async () => {
    open('?query=ba&condition=all');
    await shows('Leather bag', 'LG TV, 55 inch', 'Old bag');
  });

  it('finds the same list again by Back, though the address names fewer than three letters', async () => {
    const { router } = open('?query=bag&condition=all');
    await shows('Leather bag', 'Old bag');
    await type('ba');
    await waitFor(() => expect(router.state.location.search).toContain('query=ba&'));
    await act(() => router.navigate('/elsewhere'));
    await act(() => router.navigate(-1));
    await shows('Leather bag', 'Old bag');
  });
});

describe('a letter typed just before', () => {
  const bags = async () => {
    const opened = open('?query=bag');
    await shows('Leather bag');
    const query = () => new URLSearchParams(opened.router.state.location.search);
    return { ...opened, query };
  };
  /** A slow phone renders the letter only after the press. */
  const typeAndPress = (name: RegExp, role: 'button' | 'link') => {
    const pressed = screen.getByRole(role, { name });
    act(() => {
      fireEvent.change(screen.getByPlaceholderText('I am looking for...'), {
        target: { value: 'bags' },
      });
      pressed.click();
    });
  };

  it('stays when a filter is taken away', async () => {
    const { query } = await bags();
    typeAndPress(/^New.*remove$/, 'button');
    await waitFor(() => expect(query().get('condition')).toBe('all'));
    expect(query().get('query')).toBe('bags');
    expect(screen.getByPlaceholderText<HTMLInputElement>('I am looking for...').value).toBe('bags');
  });

  it('stays when a category is chosen', async () => {
    const { query } = await bags();
    typeAndPress(/^Electronics/, 'link');
    await waitFor(() => expect(query().get('category')).toBe('Electronics'));
    expect(query().get('query')).toBe('bags');
  });
});

describe('the list', () => {
  it('has skeletons while it is asked for', () => {
    open();
    expect(document.querySelector('[aria-busy="true"] .ProductCard-card')).toBeTruthy();
  });

  it('offers a next step when nothing is found', async () => {
    open('?query=bag&max_price=2000');
    await screen.findByRole('heading', { name: 'No products found for “bag”' });
    const button = screen.getByRole('button', { name: 'Remove all filters' });
    button.focus();
    fireEvent.click(button);
    await shows('Leather bag', 'Old bag');
    // The pressed button is gone.
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('offers another try when it did not load', async () => {
    expectErrors(/ApiError: no/);
    server.use(
      http.get('*/v1/products/search', () => HttpResponse.json({ message: 'no' }, { status: 400 })),
    );
    open();
    await screen.findByRole('alert');
    server.resetHandlers(...market(goods));
    const button = screen.getByRole('button', { name: 'Try again' });
    button.focus();
    fireEvent.click(button);
    await shows('Leather bag', 'LG TV, 55 inch');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('comes 24 at a time, and says where one is', async () => {
    server.resetHandlers(
      ...market(Array.from({ length: 30 }, (_, n) => aProduct({ product_id: `p${n}` }))),
    );
    open();
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(24));
    const place = screen.getByText('24 of 30');
    expect(place.getAttribute('role')).toBe('status');
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(30));
    // The same element, so that the change is announced.
    expect(place.textContent).toBe('30 of 30');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });
});

describe('on phones', () => {
  beforeEach(() => window.happyDOM.setViewport({ width: 360 }));
  afterEach(() => window.happyDOM.setViewport({ width: 1_024 }));

  it('the filters fill the screen, and their foot says how many they find', async () => {
    const { container } = open();
    await shows('Leather bag', 'LG TV, 55 inch');
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Filters 1 set' }));
    const drawer = within(screen.getByRole('dialog', { name: 'Filters' }));
    drawer.getByRole('button', { name: 'Show 2 results' });
    fireEvent.click(drawer.getByRole('radio', { name: 'Used' }));
    const foot = await drawer.findByRole('button', { name: 'Show 1 result' });
    // What is behind the drawer is not announced.
    expect(drawer.getByRole('status').textContent).toBe('1 product found');
    await expectAccessible(container);
    fireEvent.click(foot);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(names()).toEqual(['Old bag']);
  });
});

describe('what else may be meant', () => {
  /** What is said of these words, or of any; of others nothing. */
  const meaning = (said: object, ofWords?: string) =>
    server.use(
      http.get('*/v1/products/suggest', ({ request }) =>
        HttpResponse.json({
          success: true,
          shelves: [],
          stores: [],
          did_you_mean: null,
          word_forms: null,
          ...([undefined, new URL(request.url).searchParams.get('query')].includes(ofWords) &&
            said),
        }),
      ),
    );

  it.each([
    ['b', 'Two more letters, and the search begins.'],
    ['ba', 'One more letter, and the search begins.'],
  ])('says what %s lacks', async (typed, words) => {
    open(`?query=${typed}`);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('offers another spelling, and keeps the filters', async () => {
    meaning({ did_you_mean: 'leather' });
    const { router, container } = open('?query=lether&condition=all');
    const link = await screen.findByRole('link', { name: 'leather' });
    expect(link.closest('[role=status]')?.textContent).toBe('Did you mean leather?');
    await expectAccessible(container);
    fireEvent.click(link);
    await shows('Leather bag');
    expect(new URLSearchParams(router.state.location.search).get('condition')).toBe('all');
  });

  it('takes another spelling away once it is searched for, where the focus goes on at the heading', async () => {
    meaning({ did_you_mean: 'leather' }, 'lether');
    open('?query=lether');
    const link = await screen.findByRole('link', { name: 'leather' });
    link.focus();
    fireEvent.click(link);
    await shows('Leather bag');
    await waitFor(() => expect(link.isConnected).toBe(false));
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('leads to a shelf and to a store', async () => {
    meaning({
      shelves: [{ subcategory_name: 'TVs', top_category: 'Electronics', count: 11 }],
      stores: [{ user_id: 's1', businessName: 'TV World' }],
    });
    open('?query=tv');
    const shelf = await screen.findByRole('link', { name: 'TVs in Electronics · 11' });
    expect(shelf.getAttribute('href')).toBe('/category/Electronics/TVs');
    expect(screen.getByRole('link', { name: 'TV World' }).getAttribute('href')).toBe(
      '/sellers-store/TV-World',
    );
  });

  it('shows goods of other forms below those of the words themselves, marked and once', async () => {
    meaning({ word_forms: 'bag' });
    const { container } = open('?query=leather&condition=all');
    const others = await screen.findByRole('region', { name: 'Also found for “bag”' });
    expect(names()).toEqual(['Leather bag', 'Old bag']);
    expect(within(others).getAllByRole('heading', { level: 3 })).toHaveLength(1);
    await expectAccessible(container);
  });
});
