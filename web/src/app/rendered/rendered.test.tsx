import { QueryClientProvider } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { getResponse } from 'msw';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { aSeller } from '../../../test/sellers.js';
import { queryClient } from '../../api/query-client.js';
import { routes } from '../../routes.js';
import { toCartItem } from '../../stores/cart.js';
import { changeAuthStorage, initialAuthStorage } from '../../stores/persistent-store.js';
import { preloadPage } from '../startup.js';
import { hydrateQueries, RENDERED_ID } from './hydration.js';
import { createRenderer } from './server.js';

const WICKED = `Bag </script><img src=x onerror=alert(1)> "&amp; <!--`;
const goods = Array.from({ length: 30 }, (_, n) =>
  aProduct({ product_id: `p${n}`, prod_name: n === 0 ? WICKED : `Bag ${n}`, user_id: `s${n % 3}` }),
);
const [first] = goods;
if (first === undefined) throw new Error('no goods');

const asked: string[] = [];
const render = createRenderer(async (path) => {
  asked.push(path);
  // The session's refresh succeeds; a failure would be logged as an error.
  if (path === '/v1/refresh-token') return Response.json({ success: true, accessToken: 'token' });
  const answer = await getResponse(market(goods), new Request(`http://localhost${path}`));
  return answer ?? Response.json({}, { status: 404 });
});

/** Puts a page into the document as the server sends it. */
function serve(
  address: string,
  { html, queries }: NonNullable<Awaited<ReturnType<typeof render>>>,
) {
  window.location.href = `http://localhost${address}`;
  document.body.innerHTML = `<div id="root">${html}</div>`;
  const data = document.createElement('script');
  data.type = 'application/json';
  data.id = RENDERED_ID;
  data.dataset.address = address;
  data.dataset.at = String(Date.now());
  data.textContent = JSON.stringify(queries);
  document.body.append(data);
}

/** Hydrates the page as the app does. @returns the differences that React found, and a function that unmounts */
async function bringToLife(address: string) {
  const differences: unknown[] = [];
  const root = document.getElementById('root');
  if (root === null || !hydrateQueries(queryClient)) throw new Error('nothing was rendered');
  expect(await preloadPage(routes, window.location.pathname)).toBe(true);
  const router = createMemoryRouter(routes, { initialEntries: [address], hydrationData: {} });
  const app = await act(async () =>
    hydrateRoot(
      root,
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
      { onRecoverableError: (error) => differences.push(error) },
    ),
  );
  return { differences, takeDown: () => act(async () => app.unmount()) };
}

const addresses = [
  '/',
  '/?localGovt=Apapa',
  '/search-items?query=bag&min_price=abc',
  '/category/Fashion',
  '/category/fashion/watches',
  '/single-product/3/p0',
  `/sellers-store/${encodeURIComponent('Musa-&-Sons-Watches')}?query=bag`,
  '/about',
  '/terms-&-conditions',
  '/privacy-policy',
];

beforeEach(() => queryClient.clear());
afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
  changeAuthStorage(() => initialAuthStorage);
});

describe('a rendered page', () => {
  it.each(addresses)('comes to life as it stands: %s', async (address) => {
    const page = await render(address);
    if (page === null) throw new Error('it was not rendered');
    expect(page.html).toContain(address.includes('-') && !address.includes('?') ? '<h1' : '<main');
    serve(address, page);
    // The server does not know this browser's state: it shows only after hydration.
    changeAuthStorage(() => ({ itemsAddedToCart: [toCartItem(first)], user: aSeller() }));
    asked.length = 0;
    const { differences, takeDown } = await bringToLife(address);
    expect(differences).toEqual([]);
    expect(asked.filter((path) => path.startsWith('/v1/products/search'))).toEqual([]);
    await takeDown();
  });

  it('shows goods and writes wicked names as text', async () => {
    const page = await render('/search-items?query=bag');
    expect(page?.html).toContain('Bag 12');
    expect(page?.html).not.toContain('<img src=x');
    expect(page?.html).not.toContain('</script>');
  });

  it.each([
    '/cart-contents/single',
    '/login',
    '/dashboard',
    '/no-such-page',
    '/single-product/9/p0',
  ])('is left to the browser at %s', async (address) => expect(await render(address)).toBeNull());

  it('fails when a call does, so that the browser may say what is wrong', async () => {
    await expect(render('/single-product/3/none')).rejects.toThrow();
  });

  it('is taken over at its own address only', async () => {
    const page = await render('/about');
    if (page === null) throw new Error('it was not rendered');
    serve('/about', page);
    window.location.href = 'http://localhost/cart-contents/single';
    expect(hydrateQueries(queryClient)).toBe(false);
  });
});
