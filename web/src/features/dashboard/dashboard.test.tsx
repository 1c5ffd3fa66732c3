import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { setUpDashboard } from '../../../test/dashboard.js';
import { held } from '../../../test/held.js';
import { anOwnProduct } from '../../../test/products.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import type { OwnProduct } from '../../api/types.js';
import Products from './DashboardPage.js';

const { server, said } = setUpDashboard();
const answerOf = (products: readonly OwnProduct[], nextCursor: string | null = null) => {
  const available = products.filter(({ status }) => status === 'AVAILABLE').length;
  const counts = { AVAILABLE: available, UNAVAILABLE: products.length - available };
  return HttpResponse.json({ success: true, userDetails: products, counts, nextCursor });
};
const productsAre = (...products: OwnProduct[]) =>
  server.use(http.get('*/v1/user/products', () => answerOf(products)));

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
    await screen.findByRole('switch');
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
    fireEvent.click(await screen.findByRole('switch', { name: /^Available/ }));
    expect(await screen.findByRole('switch', { name: /^Unavailable/ })).toBeTruthy();
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
    fireEvent.click(await screen.findByRole('switch', { name: /^Available/ }), { detail: 1 });
    fireEvent.click(await screen.findByRole('switch', { name: /^Unavailable/ }), { detail: 2 });
    await allIsSaid();
    expect(wanted).toEqual(['UNAVAILABLE']);
    expect(screen.getByRole('switch', { name: /^Unavailable/ })).toBeTruthy();
  });

  it('lets go of a card whose product another tab has removed', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.put('*/v1/products/p1/toggle-status', () => HttpResponse.json({}, { status: 404 })),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
    productsAre();
    fireEvent.click(screen.getByRole('switch'));
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
    const off = held(() => answerOf([]));
    server.use(
      http.get('*/v1/user/products', ({ request }) =>
        new URL(request.url).searchParams.has('status')
          ? off.resolver()
          : answerOf([anOwnProduct()]),
      ),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
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
    const next = held(() => answerOf([anOwnProduct()]));
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
    await screen.findByRole('switch');
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
    fireEvent.click(await screen.findByRole('switch', { name: /^Available.*Bag 1$/ }));
    await waitFor(() => expect(asked).toEqual(['first', 'first']));
    press('Load more');
    await screen.findByRole('button', { name: 'Load more', busy: true });
    release();
    await screen.findByRole('heading', { name: 'Bag 29' });
    expect(asked).toEqual(['first', 'first', 'further']);
    expect(screen.getByRole('switch', { name: /^Unavailable.*Bag 1$/ })).toBeTruthy();
  });

  it('keeps its search box, and the focus in it, when what was typed could not be looked for', async () => {
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
    await screen.findByRole('switch');
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
    await screen.findByRole('switch');
    whatAnswers('bag');
    fireEvent.change(box, { target: { value: 'bag' } });
    await screen.findByRole('button', { name: 'Try again' });
    press('Clear search');
    await screen.findByRole('switch');
    expect(box.value).toBe('');
  });

  it('leads from a card to the form of its product', async () => {
    productsAre(anOwnProduct());
    renderAt('/dashboard', pages);
    const edit = await screen.findByRole('link', { name: /^Edit/ });
    expect(edit.getAttribute('href')).toBe('/single-product/3/p1/update');
  });

  it('turns several off at once, and puts the focus back', async () => {
    const both = [anOwnProduct(), anOwnProduct({ product_id: 'p2', prod_name: 'Tote' })];
    productsAre(...both);
    const turned: string[] = [];
    server.use(
      http.put('*/v1/products/:id/toggle-status', ({ request, params }) => {
        turned.push(`${params.id} ${new URL(request.url).searchParams.get('status')}`);
        return HttpResponse.json({ message: 'Product status changed to unavailable' });
      }),
    );
    const { container } = renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Choose several' }));
    expect(screen.getByRole('button', { name: 'Make unavailable' })).toHaveProperty(
      'disabled',
      true,
    );
    press('Choose all 2 shown');
    expect(screen.getByText('2 chosen')).toBeTruthy();
    await expectAccessible(container);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Tote' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Tote' }));
    press('Make unavailable');
    await waitFor(() => expect(said).toEqual(['2 products made unavailable']));
    expect(turned.toSorted()).toEqual(['p1 UNAVAILABLE', 'p2 UNAVAILABLE']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose several'));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('asks before it removes several, names what failed, and leaves it chosen', async () => {
    const [watch, tote] = [
      anOwnProduct(),
      anOwnProduct({ product_id: 'p2', prod_name: 'Tote', in_transaction: true }),
    ];
    productsAre(watch, tote);
    server.use(
      http.get('*/v1/check-CartItems/:id', ({ params }) =>
        HttpResponse.json({ exist: params.id === 'p2', message: '' }),
      ),
      http.delete('*/v1/product/p1', () => {
        productsAre(tote);
        return HttpResponse.json({ success: true, message: 'removed' });
      }),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Choose several' }));
    press('Choose all 2 shown');
    press('Remove them');
    press('Remove 2 products');
    const failed = await screen.findByRole('dialog', { name: '1 of 2 was not removed' });
    expect(failed.textContent).toContain('ToteThis product is still in transaction!');
    // A toast would lie outside of the dialog, where nothing is announced or can be reached.
    expect(failed.textContent).toContain('1 product removed');
    expect(said).toEqual([]);
    await expectAccessible(failed);
    press('Close');
    expect(screen.getByRole('checkbox', { name: 'Choose Tote' })).toHaveProperty('checked', true);
    expect(screen.getByText('1 chosen')).toBeTruthy();
  });

  it('says when a switch fails', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.put('*/v1/products/p1/toggle-status', () => HttpResponse.json({}, { status: 409 })),
    );
    renderAt('/dashboard', pages);
    fireEvent.click(await screen.findByRole('switch'));
    await waitFor(() => expect(said).toEqual(['Error changing product Status']));
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
    await screen.findByRole('switch');
    press(/^Remove/);
    expect(screen.getByRole('heading', { name: /^Remove Field watch/ })).toBeTruthy();
    press('Remove');
    await waitFor(() => expect(said).toEqual(['This product is still in transaction!']));
  });

  it('says why a removal is refused for another reason', async () => {
    productsAre(anOwnProduct());
    const message = 'The same request is still being worked on';
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
      http.delete('*/v1/product/p1', () =>
        HttpResponse.json({ message, code: 'in_progress' }, { status: 409 }),
      ),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
    press(/^Remove/);
    press('Remove');
    await waitFor(() => expect(said).toEqual([message]));
  });

  it('removes after asking once, with the words of the server', async () => {
    productsAre(anOwnProduct());
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
      http.delete('*/v1/product/p1', () => {
        productsAre();
        return HttpResponse.json({ success: true, message: 'successfully removed your product' });
      }),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
    press(/^Remove/);
    press('Remove');
    expect(await screen.findByText(/^No Products avialable/)).toBeTruthy();
    expect(said).toEqual(['successfully removed your product']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('All Products'));
  });

  it('asks on until the market has answered: what is being removed can no longer be kept', async () => {
    productsAre(anOwnProduct());
    const answer = held(() => HttpResponse.json({ exist: true, message: '' }));
    server.use(http.get('*/v1/check-CartItems/p1', answer.resolver));
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
    press(/^Remove/);
    press('Remove');
    const remove = screen.getByRole('button', { name: 'Remove' });
    await waitFor(() => expect(remove.getAttribute('aria-busy')).toBe('true'));
    press('Keep it');
    press('Close');
    expect(screen.getByRole('heading', { name: /^Remove Field watch/ })).toBeTruthy();
    answer.release();
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: /^Remove Field/ })).toBeNull(),
    );
    expect(said).toEqual(['This product is still in transaction!']);
  });

  it('says that a product is removed once nothing covers the page any more', async () => {
    productsAre(anOwnProduct());
    const list = held(() => answerOf([]));
    let isAskedAgain = false;
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
      http.delete('*/v1/product/p1', () => {
        server.use(
          http.get('*/v1/user/products', () => {
            isAskedAgain = true;
            return list.resolver();
          }),
        );
        return HttpResponse.json({ success: true, message: 'successfully removed your product' });
      }),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('switch');
    press(/^Remove/);
    press('Remove');
    await waitFor(() => expect(isAskedAgain).toBe(true));
    // A message outside of an open dialog is heard and reached by nobody.
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(said).toEqual([]);
    list.release();
    await waitFor(() => expect(said).toEqual(['successfully removed your product']));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the focus on the page when another product comes into the place of the removed one', async () => {
    const tote = anOwnProduct({ product_id: 'p2', prod_name: 'Tote' });
    const first = (product: OwnProduct) =>
      server.use(http.get('*/v1/user/products', () => answerOf([product], 'c1')));
    first(anOwnProduct());
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
      http.delete('*/v1/product/p1', () => {
        first(tote);
        return HttpResponse.json({ success: true, message: 'successfully removed your product' });
      }),
    );
    renderAt('/dashboard', pages);
    const remove = await screen.findByRole('button', { name: /^Remove/ });
    remove.focus();
    fireEvent.click(remove);
    press('Remove');
    await screen.findByRole('heading', { name: 'Tote' });
    await waitFor(() => expect(document.activeElement?.textContent).toBe('All Products'));
  });
});
