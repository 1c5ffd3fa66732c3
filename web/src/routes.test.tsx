import { pagePaths } from '@oja/contracts/pages';
import { AUTH_STORAGE } from '@oja/contracts/wire';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { use } from 'react';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { expectErrors } from '../test/console.js';
import { delayedAnswer, delayedPage } from '../test/delayed.js';
import { aProduct } from '../test/products.js';
import { allIsSaid, renderAt } from '../test/render.js';
import { aSeller } from '../test/sellers.js';
import { setAccessToken } from './api/client.js';
import { SearchHeader } from './app/header/SearchHeader.js';
import { DashboardLayout } from './app/layouts/DashboardLayout.js';
import { pageNames, pages, routes } from './routes.js';
import { loadText, saveText, sellerFormsName } from './stores/form-storage.js';
import {
  changeAuthStorage,
  followOtherTabs,
  initialAuthStorage,
} from './stores/persistent-store.js';
import { currentUser, restoreSession, signIn, signOut } from './stores/session.js';

vi.mock('./realtime.js', () => ({ listen: () => () => {} }));

const server = setupServer(
  http.get('*/v1/products/search', () =>
    HttpResponse.json({ success: true, result: [], total: 0, facets: {}, nextCursor: null }),
  ),
  http.get('*/v1/notifications/unread/*', () =>
    HttpResponse.json({ success: true, result: [], news: [], position: null }),
  ),
  // What else the pages read stays on its way: these tests are about the way to them.
  http.get('*/v1/*', () => new Promise<never>(() => {})),
);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  signOut();
  changeAuthStorage(() => initialAuthStorage);
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Presses a card whose product is not there yet: its skeleton stands, and has the focus. */
async function openedCard() {
  const watch = aProduct();
  const product = delayedAnswer(() => HttpResponse.json({ success: true, result: watch }));
  server.use(http.get('*/v1/product/:id', product.resolver));
  const { router } = renderAt('/login', routes);
  await act(() => router.navigate('/view-card', { state: { pid: watch.product_id } }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Product'));
  return { router, watch, product };
}

describe('the map', () => {
  it('has a page for every address, and no other', () => {
    expect([...pageNames].sort()).toEqual(Object.keys(pagePaths).sort());
  });

  it.each(pageNames)('finds the code of %s in a file that is named for it', async (name) => {
    const { default: Page } = await pages[name].load();
    expect(Page.name).toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}Page`);
  });

  it('shows Unexpected Application Error! where nothing is, with a way home', async () => {
    renderAt('/no/such/page', routes);
    expect(
      await screen.findByRole('heading', { name: 'Unexpected Application Error!' }),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to the market' }).getAttribute('href')).toBe('/');
  });

  it.each(['/dashboard', '/upload-product', '/admin-dashboard', '/single-product/3/p1/update'])(
    'sends a stranger from %s to /login, which knows the way back',
    async (address) => {
      const { router } = renderAt(address, routes);
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
      expect(router.state.location.state.from.pathname).toBe(address);
    },
  );

  it('asks first, with a spinner, who a named person is', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get('*/v1/refresh-token', async () => {
        await asked;
        return HttpResponse.json({ success: true, accessToken: 'fresh' });
      }),
    );
    changeAuthStorage(() => ({ user: aSeller() }));
    setAccessToken(undefined);
    const restored = restoreSession();
    renderAt('/dashboard', routes);
    expect(await screen.findByText('Checking who you are')).toBeTruthy();
    answer();
    await act(() => restored);
    expect(await screen.findByRole('navigation', { name: 'Dashboard' })).toBeTruthy();
  });

  it('sends a seller who is no admin from an admin page to their dashboard', async () => {
    signIn(aSeller(), 'token');
    const { router } = renderAt('/admin-dashboard/sellers', routes);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it.each([1, 0] as const)('lets admins and sub-admins in (head admin: %s)', async (is_admin) => {
    signIn(aSeller({ is_admin, is_subAdmin: is_admin === 1 ? 0 : 1 }), 'token');
    renderAt('/admin-dashboard', routes);
    expect(await screen.findByRole('heading', { name: 'Admin dashboard' })).toBeTruthy();
  });

  it('moves the focus to the heading of the page that was gone to', async () => {
    const { router } = renderAt('/login', routes);
    await screen.findByRole('heading', { name: 'LOGIN' });
    await act(() => router.navigate('/register'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('SIGN UP'));
  });

  it('keeps an open menu, and the focus, while a product’s page replaces its own address', async () => {
    const { router, watch, product } = await openedCard();
    const menu = screen.getByRole('button', { name: 'Menu' });
    menu.focus();
    fireEvent.click(menu);
    const link = await screen.findByRole('link', { name: 'Ratings and reviews' });
    product.release();
    await screen.findByRole('heading', { level: 1, name: watch.prod_name });
    expect(router.state.location.pathname).toBe('/single-product/3/p1');
    expect(link.isConnected).toBe(true);
    expect(document.activeElement).toBe(menu);
  });

  it('moves the focus from the skeleton of a product to the product', async () => {
    const { watch, product } = await openedCard();
    product.release();
    await waitFor(() => expect(document.activeElement?.textContent).toBe(watch.prod_name));
  });

  it.each([
    ['/', true],
    ['/about', true],
    ['/contact', true],
    ['/login', false],
    ['/ratings-and-reviews', false],
  ])('has a footer at %s: %s', async (address, footer) => {
    renderAt(address, routes);
    await screen.findByRole('main');
    await waitFor(() => expect(document.querySelector('main[aria-busy]')).toBeNull());
    expect(screen.queryByRole('contentinfo') !== null).toBe(footer);
  });
});

/** A page that suspends until the promise gives its heading. */
function SlowHome({ drawn }: { readonly drawn: Promise<string> }) {
  return <h1>{use(drawn)}</h1>;
}

it('names the ways on from the dashboard in its list as in its buttons, which desktops do not show', async () => {
  signIn(aSeller({ is_subAdmin: 1 }), 'token');
  renderAt('/dashboard', routes);
  const list = await screen.findByRole('navigation', { name: 'Dashboard' });
  for (const name of ['upload', 'Profile', 'To Admin'])
    expect(within(list).getByRole('link', { name })).toBeTruthy();
  expect(within(list).getByRole('button', { name: 'logout' })).toBeTruthy();
});

describe('a logout', () => {
  it('leads home, however long home takes to be drawn, and never to /login', async () => {
    server.use(http.delete('*/v1/logout', () => HttpResponse.json({ message: 'logged out!' })));
    let draw = (_: string) => {};
    const drawn = new Promise<string>((resolve) => {
      draw = resolve;
    });
    signIn(aSeller(), 'token');
    const { router } = renderAt('/dashboard/profile', [
      {
        element: <DashboardLayout />,
        children: [{ path: '/dashboard/profile', element: <h1>Profile</h1> }],
      },
      { path: '/', element: <SlowHome drawn={drawn} /> },
      { path: '/login', element: <h1>LOGIN</h1> },
    ]);
    const seen: string[] = [];
    router.subscribe(({ location }) => seen.push(location.pathname));
    const [logOut] = await screen.findAllByRole('button', { name: /^log ?out$/i });
    if (logOut) fireEvent.click(logOut);
    await waitFor(() => expect(currentUser()).toBeNull());
    await act(async () => draw('CATEGORIES'));
    await screen.findByRole('heading', { name: 'CATEGORIES' });
    expect(seen).not.toContain('/login');
    expect(router.state.location.pathname).toBe('/');
  });

  it('on the home page leaves the focus at its heading, as the menu with the button is gone', async () => {
    server.use(http.delete('*/v1/logout', () => HttpResponse.json({ message: 'logged out!' })));
    signIn(aSeller(), 'token');
    renderAt('/', routes);
    const heading = await screen.findByRole('heading', { level: 1 });
    fireEvent.click(screen.getByRole('button', { name: /, options$/ }));
    const logOut = await screen.findByRole('button', { name: 'Log out' });
    logOut.focus();
    fireEvent.click(logOut);
    await waitFor(() => expect(currentUser()).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('removes what was typed into the profile: the phone may be somebody else’s next', async () => {
    server.use(http.delete('*/v1/logout', () => HttpResponse.json({ message: 'logged out!' })));
    const me = aSeller();
    signIn(me, 'token');
    saveText(sellerFormsName(me.user_id), JSON.stringify({ phone_1: '08034127765' }));
    renderAt('/dashboard/profile', routes);
    const [logOut] = await screen.findAllByRole('button', { name: /^log ?out$/i });
    if (logOut) fireEvent.click(logOut);
    await waitFor(() => expect(currentUser()).toBeNull());
    expect(loadText(sellerFormsName(me.user_id))).toBeNull();
  });

  it('ends the session here although the market does not answer', async () => {
    server.use(http.delete('*/v1/logout', () => new Promise<never>(() => {})));
    expectErrors(/Stopped/);
    signIn(aSeller(), 'token');
    const { router } = renderAt('/dashboard/profile', routes);
    const [logOut] = await screen.findAllByRole('button', { name: /^log ?out$/i });
    if (logOut) fireEvent.click(logOut);
    await waitFor(() => expect(currentUser()).toBeNull());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  it.each(['/', '/dashboard/profile'])(
    'leads nobody away from %s who has pressed another link meanwhile',
    async (address) => {
      const leaving = delayedAnswer(() => HttpResponse.json({ message: 'logged out!' }));
      server.use(http.delete('*/v1/logout', leaving.resolver));
      signIn(aSeller(), 'token');
      const product = delayedPage('/single-product/3/p1');
      const home = { path: '/', element: <SearchHeader /> };
      const { router } = renderAt(address, [
        home,
        {
          element: <DashboardLayout />,
          children: [{ path: '/dashboard/profile', element: <h1>Profile</h1> }],
        },
        product.route,
      ]);
      fireEvent.click(await screen.findByRole('button', { name: /, options$/ }));
      for (const logOut of await screen.findAllByRole('button', { name: /^log ?out$/i }))
        fireEvent.click(logOut);
      await act(async () => void router.navigate('/single-product/3/p1'));
      leaving.release();
      await waitFor(() => expect(currentUser()).toBeNull());
      await allIsSaid();
      product.release();
      await screen.findByText('/single-product/3/p1');
      expect(router.state.location.pathname).toBe('/single-product/3/p1');
    },
  );

  it('in a session that is over already leads home all the same', async () => {
    const refused = () => HttpResponse.json({ message: 'Log in again.' }, { status: 401 });
    server.use(http.delete('*/v1/logout', refused), http.get('*/v1/refresh-token', refused));
    expectErrors(/Log in again/);
    signIn(aSeller(), 'token');
    const { router } = renderAt('/dashboard/profile', routes);
    const [logOut] = await screen.findAllByRole('button', { name: /^log ?out$/i });
    if (logOut) fireEvent.click(logOut);
    await waitFor(() => expect(currentUser()).toBeNull());
    await allIsSaid();
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  it('in another tab asks who is there, and opens the page again for nobody else', async () => {
    signIn(aSeller(), 'token');
    const { router } = renderAt('/dashboard/profile', routes);
    await screen.findByRole('navigation', { name: 'Dashboard' });
    onTestFinished(followOtherTabs());
    await act(async () => {
      localStorage.setItem(AUTH_STORAGE, JSON.stringify({ state: initialAuthStorage, version: 1 }));
      dispatchEvent(new StorageEvent('storage', { key: AUTH_STORAGE }));
    });
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    server.use(
      http.post('*/v1/login', () =>
        HttpResponse.json({ userDetails: aSeller({ user_id: 's8' }), accessToken: 'other' }),
      ),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'LOG IN' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });
});
