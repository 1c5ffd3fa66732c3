import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { aProduct } from '../../../test/products.js';
import { readEverythingAgain, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import {
  changeAuthStorage,
  initialAuthStorage,
  useAuthStorage,
} from '../../stores/persistent-store.js';
import Home, { sellPath } from './HomePage.js';

const goods = Array.from({ length: 24 }, (_, n) =>
  aProduct({
    product_id: `p${n}`,
    prod_name: `Watch ${n}`,
    local_govt: n < 20 ? 'Apapa' : 'Ikeja',
  }),
);
/** The page after them. */
const rest = Array.from({ length: 24 }, (_, n) =>
  aProduct({ product_id: `q${n}`, prod_name: `Watch ${24 + n}` }),
);
const server = setupServer();
const answers = () =>
  server.use(
    http.get('*/v1/products/search', ({ request }) => {
      const asked = new URL(request.url).searchParams;
      const place = asked.get('localGovt');
      const found = goods.filter((product) => place === null || product.local_govt === place);
      return HttpResponse.json({
        success: true,
        result: found.slice(0, Number(asked.get('limit'))),
        total: found.length,
        facets: {},
        nextCursor: null,
      });
    }),
  );

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  localStorage.setItem('oja-release-seen', '1');
  sessionStorage.clear();
  changeAuthStorage(() => initialAuthStorage);
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (address = '/') => renderAt(address, [{ path: pagePaths.home, element: <Home /> }]);
const list = async () => {
  const section = await screen.findByRole('region', { name: 'Products' });
  await within(section).findAllByRole('article');
  return within(section);
};

describe('home', () => {
  it('shows twelve, then all, then twelve again', async () => {
    answers();
    open();
    const section = await list();
    expect(section.getAllByRole('article')).toHaveLength(12);
    fireEvent.click(section.getByRole('button', { name: 'view more' }));
    expect(section.getAllByRole('article')).toHaveLength(24);
    fireEvent.click(section.getByRole('button', { name: 'view less' }));
    expect(section.getAllByRole('article')).toHaveLength(12);
  });

  it('lists first what does not pass by in the carousel, and all of it', async () => {
    answers();
    open();
    const section = await list();
    await screen.findByRole('region', { name: 'Trending products' });
    const names = () =>
      section.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
    await waitFor(() => expect(names()[0]).toBe('Watch 8'));
    fireEvent.click(section.getByRole('button', { name: 'view more' }));
    expect(names()).toHaveLength(24);
    expect(names().slice(16)).toEqual(goods.slice(0, 8).map((one) => one.prod_name));
  });

  it('keeps the carousel when reading it again fails', async () => {
    expectErrors(/could not be reached/);
    answers();
    open();
    const carousel = await screen.findByRole('region', { name: 'Trending products' });
    server.use(http.get('*/v1/products/search', () => HttpResponse.error()));
    await readEverythingAgain();
    expect(carousel.isConnected).toBe(true);
  });

  it('breaks no rule of axe, with goods and with the list of places open', async () => {
    answers();
    const { container } = open();
    const section = await list();
    await expectAccessible(container);
    fireEvent.click(section.getByRole('button', { name: /Filter products by Location/ }));
    await screen.findByRole('dialog');
    await expectAccessible(container);
  });

  it('filters by local government, one state open at a time, and keeps the place in the address', async () => {
    answers();
    const { router } = open();
    const section = await list();
    fireEvent.click(section.getByRole('button', { name: /Filter products by Location/ }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Enugu' }));
    expect(dialog.getByRole('button', { name: 'Nsukka' })).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Lagos' }));
    expect(dialog.queryByRole('button', { name: 'Nsukka' })).toBeNull();
    expect(dialog.getByText('Coming Soon!')).toBeTruthy();
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Ikeja' })));
    expect(router.state.location.search).toBe('?localGovt=Ikeja');
    expect(section.getByText('Lagos state/Ikeja LG')).toBeTruthy();
    await waitFor(() => expect(section.getAllByRole('article')).toHaveLength(4));
    const found = section.getByText('4 products');
    expect(found.getAttribute('role')).toBe('status');
    // Phones announce it too, where it has no room.
    expect(found.closest('.layout-onlyWide')).toBeNull();
  });

  it('is as open as it was, whatever place was chosen, when somebody comes back', async () => {
    answers();
    const { router } = open();
    const shows = async (count: number) => {
      const section = await list();
      await waitFor(() => expect(section.getAllByRole('article')).toHaveLength(count));
      return section;
    };
    const section = await shows(12);
    fireEvent.click(section.getByRole('button', { name: 'view more' }));
    fireEvent.click(section.getByRole('button', { name: /Filter products by Location/ }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Lagos' }));
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Apapa' })));
    await shows(20);
    await act(() => router.navigate('/elsewhere'));
    await act(() => router.navigate(-1));
    fireEvent.click((await shows(20)).getByRole('button', { name: 'view less' }));
    await shows(12);
    await act(() => router.navigate(-1));
    await shows(24);
    await act(() => router.navigate(1));
    await shows(12);
  });

  it('says so when a region has no goods, and offers all', async () => {
    answers();
    const { router } = open('/?localGovt=Nsukka');
    expect(await screen.findByText('Products are currently not in this region!!')).toBeTruthy();
    const button = screen.getByRole('button', { name: 'All States/Local Govt' });
    button.focus();
    await act(async () => fireEvent.click(button));
    expect(router.state.location.search).toBe('');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it.each(['', 'ikeja', 'Abuja', 'Call 0803 000 0000 to get your refund'])(
    'has all places chosen where the address names none that there is: %j',
    async (place) => {
      answers();
      const { container } = open(`/?${new URLSearchParams({ localGovt: place })}`);
      const section = await list();
      const filter = section.getByRole('button', { name: /Filter products by Location/ });
      expect(filter.textContent).toContain('All States/Local Govt');
      expect(section.getByText('24 products')).toBeTruthy();
      if (place !== '') expect(container.textContent).not.toContain(place);
    },
  );

  it('takes the place of an address with blanks around it', async () => {
    answers();
    open('/?localGovt=%20Ikeja%20');
    const section = await list();
    expect(section.getByText('Lagos state/Ikeja LG')).toBeTruthy();
    expect(section.getAllByRole('article')).toHaveLength(4);
  });

  it('offers to try again when the goods did not load', async () => {
    expectErrors(/That did not work/);
    server.use(http.get('*/v1/products/search', () => HttpResponse.json({}, { status: 400 })));
    open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    answers();
    fireEvent.click(retry);
    await list();
  });

  it('keeps what is shown when only the next goods do not load, and offers to try again', async () => {
    expectErrors(/That did not work/);
    answers();
    server.use(
      http.get('*/v1/products/search', ({ request }) => {
        const asked = new URL(request.url).searchParams;
        if (asked.has('cursor')) return HttpResponse.json({}, { status: 400 });
        const result = goods.slice(0, Number(asked.get('limit')));
        return HttpResponse.json({ result, total: 48, facets: {}, nextCursor: 'next' });
      }),
    );
    open();
    const section = await list();
    fireEvent.click(section.getByRole('button', { name: 'view more' }));
    fireEvent.click(section.getByRole('button', { name: 'Load more' }));
    await section.findByText('The next products did not load.');
    expect(section.getAllByRole('article')).toHaveLength(24);
    const again = section.getByRole('button', { name: 'Try again' });
    again.focus();
    server.use(
      http.get('*/v1/products/search', () =>
        HttpResponse.json({ result: rest, total: 48, facets: {}, nextCursor: null }),
      ),
    );
    fireEvent.click(again);
    await waitFor(() => expect(section.getAllByRole('article')).toHaveLength(48));
    expect(section.queryByRole('button', { name: 'Load more' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(section.getAllByRole('article')[24]));
  });

  it('keeps the focus on the button while the next goods load and while they do not', async () => {
    expectErrors(/That did not work/);
    answers();
    let asked = 0;
    server.use(
      http.get('*/v1/products/search', ({ request }) => {
        if (!new URL(request.url).searchParams.has('cursor'))
          return HttpResponse.json({
            result: goods.slice(0, 24),
            total: 72,
            facets: {},
            nextCursor: 'next',
          });
        asked += 1;
        if (asked < 3) return HttpResponse.json({}, { status: 400 });
        return HttpResponse.json({ result: rest, total: 72, facets: {}, nextCursor: 'last' });
      }),
    );
    open();
    const section = await list();
    fireEvent.click(section.getByRole('button', { name: 'view more' }));
    const button = section.getByRole('button', { name: 'Load more' });
    button.focus();
    for (const _ of [1, 2]) {
      fireEvent.click(button);
      await section.findByText('The next products did not load.');
      expect(document.activeElement).toBe(button);
      expect(button.textContent).toBe('Try again');
    }
    fireEvent.click(button);
    await waitFor(() => expect(section.getAllByRole('article')).toHaveLength(48));
    expect(document.activeElement).toBe(button);
    expect(button.textContent).toBe('Load more');
  });

  it('puts a single order into the cart and goes there', async () => {
    answers();
    const { router } = open();
    const section = await list();
    await act(async () =>
      fireEvent.click(section.getByRole('button', { name: 'Single order: Watch 13' })),
    );
    expect(router.state.location.pathname).toBe('/cart-contents/single');
    expect(useAuthStorage.getState().singleProductId).toBe('p13');
  });

  it('records the product whose picture was pressed and shows it', async () => {
    answers();
    const { router } = open();
    const section = await list();
    await act(async () => fireEvent.click(section.getByRole('link', { name: 'Watch 12' })));
    expect(router.state.location.pathname).toBe('/view-card');
    expect(router.state.location.state).toEqual({ pid: 'p12' });
    expect(useAuthStorage.getState().pid).toBe('p12');
  });

  it('links every category and subcategory, hyphens for spaces', async () => {
    answers();
    open();
    expect(screen.getByRole('link', { name: 'Beauty and Skincare' }).getAttribute('href')).toBe(
      '/category/Beauty-and-Skincare',
    );
    expect(screen.getByRole('link', { name: 'Make up' }).getAttribute('href')).toBe(
      '/category/Beauty-and-Skincare/Make-up',
    );
  });

  it('tells once a release what is new, and never again once dismissed', async () => {
    localStorage.removeItem('oja-release-seen');
    answers();
    const first = open();
    const dismiss = await screen.findByRole('button', { name: 'Dismiss' });
    dismiss.focus();
    fireEvent.click(dismiss);
    expect(screen.queryByText('New on Oja')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    first.unmount();
    open();
    await list();
    expect(screen.queryByText('New on Oja')).toBeNull();
  });

  it('leads to selling by who one is', () => {
    expect(sellPath(null)).toBe('/register');
    expect(sellPath(aSeller())).toBe('/upload-product');
    expect(sellPath(aSeller({ is_admin: 1 }))).toBe('/admin-dashboard');
  });
});
