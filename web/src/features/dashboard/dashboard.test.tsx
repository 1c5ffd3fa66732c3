import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { answerOf, availability, setUpDashboard } from '../../../test/dashboard.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { anOwnProduct } from '../../../test/products.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import Products from './DashboardPage.js';

const { server, toastTexts, productsAre } = setUpDashboard();

const pages = [{ path: pagePaths.dashboard, element: <Products /> }];
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

describe('All Products', () => {
  it('says to the letter that there are none', async () => {
    productsAre();
    const { container } = renderAt('/dashboard', pages);
    expect(await screen.findByText('No Products avialable. Kindly make an upload!')).toBeTruthy();
    await expectAccessible(container);
  });

  it('shows the money, and leaves out what is not known', async () => {
    productsAre(anOwnProduct());
    const { container, unmount } = renderAt('/dashboard', pages);
    expect(await screen.findByText('Held for you')).toBeTruthy();
    await screen.findByRole('button', availability);
    await expectAccessible(container);
    unmount();
    server.use(http.get('*/v1/user/earnings', () => HttpResponse.json({}, { status: 404 })));
    renderAt('/dashboard', pages);
    expect(await screen.findByText('On sale')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Held for you')).toBeNull());
  });

  it('follows the fifth word of the answer to a switch', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.put('*/v1/products/p1/toggle-status', () => {
        productsAre(anOwnProduct({ status: 'UNAVAILABLE' }));
        return HttpResponse.json({
          success: true,
          message: 'Product status changed to unavailable',
        });
      }),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: /^Available/ }));
    expect(await screen.findByRole('button', { name: /^Unavailable/ })).toBeTruthy();
  });

  it('says of a card how many are left, where they are counted, and when none are', async () => {
    productsAre(
      anOwnProduct({ product_id: 'p1', prod_name: 'Last lamp', stock: 0 }),
      anOwnProduct({ product_id: 'p2', prod_name: 'Many lamps', stock: 1_200 }),
      anOwnProduct({ product_id: 'p3', prod_name: 'Lamps' }),
    );
    renderAt('/dashboard', pages);
    const cardOf = async (name: string) =>
      (await screen.findByRole('heading', { name })).closest('article')?.textContent;
    expect(await cardOf('Last lamp')).toContain('Sold out');
    expect(await cardOf('Many lamps')).toContain('1,200 left');
    expect(await cardOf('Lamps')).not.toMatch(/Sold out|left/);
  });

  it('says what it wants of a switch, once, however quickly it is pressed', async () => {
    productsAre(anOwnProduct());
    const wanted: (string | null)[] = [];
    server.use(
      http.put('*/v1/products/p1/toggle-status', ({ request }) => {
        wanted.push(new URL(request.url).searchParams.get('status'));
        return HttpResponse.json({ message: 'Product status changed to unavailable' });
      }),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: /^Available/ }), { detail: 1 });
    fireEvent.click(await screen.findByRole('button', { name: /^Unavailable/ }), { detail: 2 });
    await allIsSaid();
    expect(wanted).toEqual(['UNAVAILABLE']);
    expect(screen.getByRole('button', { name: /^Unavailable/ })).toBeTruthy();
  });

  it('lets go of a card whose product another tab has removed', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.put('*/v1/products/p1/toggle-status', () => HttpResponse.json({}, { status: 404 })),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
    productsAre();
    fireEvent.click(screen.getByRole('button', availability));
    expect(await screen.findByText(/^No Products avialable/)).toBeTruthy();
  });

  it('draws 24 at a time, and looks for words and states at the market', async () => {
    const goods = Array.from({ length: 30 }, (_, i) =>
      anOwnProduct({ product_id: `p${i}`, prod_name: `Bag ${i}` }),
    );
    const asked: string[] = [];
    server.use(
      http.get('*/v1/user/products', ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(String(searchParams));
        return searchParams.has('cursor')
          ? answerOf(goods.slice(24))
          : answerOf(goods.slice(0, 24), 'more');
      }),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    await screen.findByRole('heading', { name: 'Bag 29' });
    expect(screen.getAllByRole('article')).toHaveLength(30);
    expect(asked).toEqual(['limit=24', 'limit=24&cursor=more']);
    fireEvent.click(screen.getByRole('link', { name: /^Off/ }));
    await waitFor(() => expect(asked.at(-1)).toBe('limit=24&status=UNAVAILABLE'));
    fireEvent.change(screen.getByLabelText('Find in my products'), { target: { value: 'ba' } });
    await waitFor(() => expect(asked.at(-1)).toBe('limit=24&status=UNAVAILABLE&find=ba'));
  });

  it('lets nothing be done to the list of another filter, until that of the chosen one has come', async () => {
    const off = delayedAnswer(() => answerOf([]));
    server.use(
      http.get('*/v1/user/products', ({ request }) =>
        new URL(request.url).searchParams.has('status')
          ? off.resolver()
          : answerOf([anOwnProduct()]),
      ),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
    press('Choose several');
    press('Choose all 1 shown');
    const remove = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Remove them' });
    expect(remove().disabled).toBe(false);
    fireEvent.click(screen.getByRole('link', { name: /^Off/ }));
    await waitFor(() => expect(document.querySelector('[aria-busy="true"] article')).toBeTruthy());
    expect(remove().disabled).toBe(true);
    off.release();
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  });

  it('says of no other words that nothing matches them, before they were looked for', async () => {
    const next = delayedAnswer(() => answerOf([anOwnProduct()]));
    server.use(
      http.get('*/v1/user/products', ({ request }) => {
        if (new URL(request.url).searchParams.get('find') === 'lamp') return next.resolver();
        const counts = { AVAILABLE: 1, UNAVAILABLE: 0 };
        return HttpResponse.json({ success: true, userDetails: [], counts, nextCursor: null });
      }),
    );
    renderAt('/dashboard?find=lampe', pages);
    await screen.findByText('No product matches');
    const box = screen.getByLabelText('Find in my products');
    box.focus();
    fireEvent.change(box, { target: { value: 'lamp' } });
    await waitFor(() => expect(screen.queryByText('No product matches')).toBeNull());
    expect(screen.getByRole('main').querySelector('[aria-busy="true"]')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Find in my products'));
    expect(screen.getByRole('link', { name: 'All 1' })).toBeTruthy();
    next.release();
    await screen.findByRole('button', availability);
  });

  it('keeps a letter that was typed just before another filter is chosen', async () => {
    productsAre(anOwnProduct());
    const { router } = renderAt('/dashboard?find=fiel', pages);
    const way = await screen.findByRole('link', { name: /^Off/ });
    // A slow phone renders the letter only after the press.
    act(() => {
      fireEvent.change(screen.getByLabelText('Find in my products'), {
        target: { value: 'field' },
      });
      way.click();
    });
    await waitFor(() => expect(router.state.location.search).toBe('?find=field&show=off'));
    expect(screen.getByLabelText<HTMLInputElement>('Find in my products').value).toBe('field');
  });

  it('reads the goods again to the end before it reads further', async () => {
    const goods = Array.from({ length: 30 }, (_, i) =>
      anOwnProduct({ product_id: `p${i}`, prod_name: `Bag ${i}` }),
    );
    let hold: Promise<void> | undefined;
    let release = () => {};
    const asked: string[] = [];
    server.use(
      http.get('*/v1/user/products', async ({ request }) => {
        const isFurther = new URL(request.url).searchParams.has('cursor');
        asked.push(isFurther ? 'further' : 'first');
        if (isFurther) return answerOf(goods.slice(24));
        await hold;
        return answerOf(goods.slice(0, 24), 'more');
      }),
      http.put('*/v1/products/p1/toggle-status', () => {
        goods[1] = anOwnProduct({ ...goods[1], status: 'UNAVAILABLE' });
        hold = new Promise((resolve) => {
          release = resolve;
        });
        return HttpResponse.json({ message: 'Product status changed to unavailable' });
      }),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: /^Available.*Bag 1$/ }));
    await waitFor(() => expect(asked).toEqual(['first', 'first']));
    press('Load more');
    await screen.findByRole('button', { name: 'Load more', busy: true });
    release();
    await screen.findByRole('heading', { name: 'Bag 29' });
    expect(asked).toEqual(['first', 'first', 'further']);
    expect(screen.getByRole('button', { name: /^Unavailable.*Bag 1$/ })).toBeTruthy();
  });

  it('keeps its search box, and the focus in it, when what was typed could not be looked for', async () => {
    expectErrors(/ApiError: no$/);
    const whatAnswers = (...down: string[]) =>
      server.use(
        http.get('*/v1/user/products', ({ request }) =>
          down.includes(new URL(request.url).searchParams.get('find') ?? '')
            ? HttpResponse.json({ message: 'no' }, { status: 400 })
            : answerOf([anOwnProduct()]),
        ),
      );
    whatAnswers('ba');
    const { container } = renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
    const box = screen.getByLabelText<HTMLInputElement>('Find in my products');
    box.focus();
    fireEvent.change(box, { target: { value: 'ba' } });
    await screen.findByRole('button', { name: 'Try again' });
    expect(document.activeElement).toBe(screen.getByLabelText('Find in my products'));
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe('ba');
    await expectAccessible(container);
    whatAnswers();
    press('Try again');
    await screen.findByRole('button', availability);
    whatAnswers('bag');
    fireEvent.change(box, { target: { value: 'bag' } });
    await screen.findByRole('button', { name: 'Try again' });
    press('Clear search');
    await screen.findByRole('button', availability);
    expect(box.value).toBe('');
  });

  it('leads from a card to the form of its product', async () => {
    productsAre(anOwnProduct());
    renderAt('/dashboard', pages);
    const edit = await screen.findByRole('link', { name: /^Edit/ });
    expect(edit.getAttribute('href')).toBe('/single-product/3/p1/update');
  });

  it('says when a switch fails', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.put('*/v1/products/p1/toggle-status', () => HttpResponse.json({}, { status: 409 })),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', availability));
    await waitFor(() => expect(toastTexts).toEqual(['Error changing product Status']));
  });

  it.each([
    ['the question says so', true, 200],
    ['the removal finds out', false, 409],
  ])('keeps a product that is in a transaction: %s', async (_, exist, status) => {
    productsAre(anOwnProduct());
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist, message: '' })),
      http.delete('*/v1/product/p1', () =>
        HttpResponse.json({ message: 'No', code: 'in_transaction' }, { status }),
      ),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
    press(/^Remove/);
    expect(screen.getByRole('heading', { name: /^Remove Field watch/ })).toBeTruthy();
    press('Remove');
    await waitFor(() => expect(toastTexts).toEqual(['This product is still in transaction!']));
  });
});
