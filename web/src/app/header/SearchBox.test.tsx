import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { market } from '../../../test/market.js';
import { renderAt } from '../../../test/render.js';
import { queryClient } from '../../api/query-client.js';
import { SearchHeader } from './SearchHeader.js';

const server = setupServer(...market([]));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const at = (address: string) => {
  const { router } = renderAt(address, [{ path: '*', element: <SearchHeader /> }]);
  const box = () => screen.getByPlaceholderText<HTMLInputElement>('I am looking for...');
  const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
  const here = () =>
    new URL(router.state.location.pathname + router.state.location.search, 'http://oja');
  return { router, box, type, here };
};

describe('the search box', () => {
  it('has its placeholder to the letter, and glass or close by what is typed', () => {
    const { box, type } = at('/');
    expect(screen.getByRole('textbox', { name: 'Search' })).toBe(box());
    expect(screen.getByRole('button', { name: 'Search' })).toBeTruthy();
    type('b');
    expect(screen.getByRole('button', { name: 'Clear search' })).toBeTruthy();
  });

  it('goes to the search page with every keystroke, with what is chosen at first', async () => {
    const { type, here } = at('/about');
    await act(async () => type('ba'));
    expect(here().pathname).toBe('/search-items');
    expect(Object.fromEntries(here().searchParams)).toEqual({
      query: 'ba',
      condition: 'New',
      sort: 'A-Z',
      localGovt: 'All States/Local Govt',
      min_price: '1000',
      max_price: '100000',
    });
  });

  it('keeps what was chosen, and replaces its entry, so that Back leaves in one step', async () => {
    const { router, type, here } = at('/about');
    for (const text of ['b', 'ba', 'bag']) await act(async () => type(text));
    await act(() => router.navigate('/search-items?query=bag&condition=Used&sort=Z-A'));
    await act(async () => type('bags'));
    expect(here().searchParams.get('condition')).toBe('Used');
    expect(here().searchParams.get('query')).toBe('bags');
    await act(() => router.navigate(-1));
    expect(here().searchParams.get('query')).toBe('bag');
    await act(() => router.navigate(-1));
    expect(here().pathname).toBe('/about');
  });

  it('shows what the address says after Back', async () => {
    const { router, box, type } = at('/search-items?query=bag');
    expect(box().value).toBe('bag');
    await act(() => router.navigate('/single-product/1/p1'));
    expect(box().value).toBe('bag');
    await act(async () => type('shoe'));
    await act(() => router.navigate(-1));
    await act(() => router.navigate(-1));
    expect(box().value).toBe('bag');
  });

  it('is empty at home again though Back came before the page that typing led to was drawn', async () => {
    const router = createBrowserRouter([{ path: '*', element: <SearchHeader /> }]);
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    const home = history.state;
    const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' });
    const pathIs = (path: string) => expect.poll(() => router.state.location.pathname).toBe(path);
    // Nothing is rendered until the outer act ends.
    await act(async () => {
      fireEvent.change(box, { target: { value: 'bag' } });
      await pathIs('/search-items');
      history.replaceState(home, '', '/');
      dispatchEvent(new PopStateEvent('popstate', { state: home }));
      await pathIs('/');
    });
    expect(box.value).toBe('');
    const steps = history.length;
    await act(async () => fireEvent.change(box, { target: { value: 'shoe' } }));
    await pathIs('/search-items');
    expect(history.length).toBe(steps + 1);
    router.dispose();
  });

  it('is a combobox from the first focus on, and says that nothing is offered yet', async () => {
    const { box } = at('/');
    fireEvent.focus(box());
    expect(await screen.findByRole('combobox', { name: 'Search' })).toBe(box());
    expect(box().getAttribute('aria-expanded')).toBe('false');
    expect(box().hasAttribute('aria-controls')).toBe(false);
  });

  it('offers what one typing means though the page it leads to is on the way still', async () => {
    server.use(
      http.get('*/v1/products/suggest', () =>
        HttpResponse.json({
          success: true,
          ...{ goods: [], shelves: [], stores: [], did_you_mean: 'watch' },
        }),
      ),
    );
    await import('./Suggestions.js');
    let arrive = () => {};
    const page = new Promise<null>((resolve) => {
      arrive = () => resolve(null);
    });
    renderAt('/about', [
      {
        element: <SearchHeader />,
        children: [
          { path: '/about', element: null },
          { path: '/search-items', loader: () => page, element: null },
        ],
      },
    ]);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'wacth' } });
    await screen.findByRole('combobox');
    arrive();
    expect(await screen.findByRole('option', { name: 'Did you mean watch?' })).toBeTruthy();
  });

  it('offers nothing more once Enter was pressed, though the answer comes later', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let sent = 0;
    server.use(
      http.get('*/v1/products/suggest', async () => {
        await answered;
        sent += 1;
        const did_you_mean = 'necklace';
        return HttpResponse.json({
          success: true,
          ...{ goods: [], shelves: [], stores: [], did_you_mean },
        });
      }),
    );
    const { box, type } = at('/about');
    await act(async () => type('neclace'));
    await screen.findByRole('combobox');
    fireEvent.keyDown(box(), { key: 'Enter' });
    answer();
    await waitFor(() => expect(sent).toBe(1));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole('option')).toBeNull();
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(await screen.findByRole('option', { name: 'Did you mean necklace?' })).toBeTruthy();
  });

  it('clears and goes home by its close sign', async () => {
    const { box, here } = at('/search-items?query=bag');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Clear search' })));
    expect(here().pathname).toBe('/');
    expect(box().value).toBe('');
  });
});
