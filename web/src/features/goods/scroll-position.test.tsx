import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { changeAuthStorage, initialAuthStorage } from '../../stores/persistent-store.js';
import Search from '../search/SearchPage.js';

const goods = Array.from({ length: 100 }, (_, n) =>
  aProduct({ product_id: `p${n}`, prod_name: `Bag ${String(n).padStart(3, '0')}` }),
);
const server = setupServer(...market(goods));
const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  changeAuthStorage(() => initialAuthStorage);
  sessionStorage.clear();
  scrollTo.mockClear();
  vi.stubGlobal('scrollY', 0);
});
afterEach(() => {
  server.resetHandlers();
  vi.unstubAllGlobals();
});
afterAll(() => server.close());

const open = () => renderAt('/search-items', [{ path: pagePaths.search, element: <Search /> }]);
const shown = () => screen.queryAllByRole('heading', { level: 3 }).length;
const shows = (count: number) => waitFor(() => expect(shown()).toBe(count));
const readTo = async (count: number) => {
  await waitFor(() => expect(shown()).toBeGreaterThan(0));
  while (shown() < count) {
    const before = shown();
    // The page that came just now may show before the button takes another press.
    fireEvent.click(await screen.findByRole('button', { name: 'Load more', busy: false }));
    await waitFor(() => expect(shown()).toBeGreaterThan(before));
  }
};
const scrolled = (top: number) =>
  act(async () => {
    vi.stubGlobal('scrollY', top);
    fireEvent.scroll(window);
  });
/** Simulates a phone that closes the hidden tab without a word: nothing is unmounted, only the memory is gone. */
const closedByThePhone = (unmount: () => void) => {
  fireEvent(document, new Event('visibilitychange'));
  const kept = sessionStorage.getItem('oja-places') ?? '';
  unmount();
  queryClient.clear();
  sessionStorage.setItem('oja-places', kept);
  scrollTo.mockClear();
  vi.stubGlobal('scrollY', 0);
};

it('comes back to the page and the height where it was read', async () => {
  const { unmount } = open();
  await readTo(72);
  await scrolled(5_120);
  closedByThePhone(unmount);
  open();
  await shows(72);
  await waitFor(() => expect(scrollTo).toHaveBeenCalledWith({ top: 5_120, behavior: 'instant' }));
});

it('leaves the window alone once the shopper has moved', async () => {
  const { unmount } = open();
  await readTo(72);
  await scrolled(5_120);
  closedByThePhone(unmount);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/v1/products/search', async ({ request }) => {
      if (new URL(request.url).searchParams.has('cursor')) await held;
    }),
  );
  open();
  await shows(24);
  fireEvent.wheel(window);
  answer();
  await shows(48);
  expect(queryClient.isFetching()).toBe(0);
  expect(scrollTo).not.toHaveBeenCalled();
});

it('begins at the top where nothing usable is stored', async () => {
  sessionStorage.setItem('oja-places', '{"default":{"pages":"3"}}');
  open();
  await shows(24);
  expect(scrollTo).not.toHaveBeenCalled();
});

it('shows the prices of today however soon the shopper scrolls on', async () => {
  let reachTheEnd = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private readonly seen: (entries: { isIntersecting: boolean }[]) => void) {}
      observe() {
        reachTheEnd = () => this.seen([{ isIntersecting: true }]);
      }
      disconnect() {
        reachTheEnd = () => {};
      }
    },
  );
  open();
  await shows(24);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/v1/products/search', async ({ request }) => {
      if (!new URL(request.url).searchParams.has('cursor')) await held;
    }),
    ...market(goods.map((product) => ({ ...product, price: 7_777 }))),
  );
  act(() => void queryClient.invalidateQueries());
  await act(async () => reachTheEnd());
  answer();
  await shows(48);
  expect(screen.getAllByText(/7,777/)).toHaveLength(48);
});
