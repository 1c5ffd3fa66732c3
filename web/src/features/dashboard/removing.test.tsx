import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { answerOf, availability, setUpDashboard } from '../../../test/dashboard.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { anOwnProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import type { OwnProduct } from '../../api/types.js';
import Products from './DashboardPage.js';

const { server, toastTexts, productsAre } = setUpDashboard();

const pages = [{ path: pagePaths.dashboard, element: <Products /> }];
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

describe('Several products at once, and removals', () => {
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
    await waitFor(() => expect(toastTexts).toEqual(['2 products made unavailable']));
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
    expect(toastTexts).toEqual([]);
    await expectAccessible(failed);
    press('Close');
    expect(screen.getByRole('checkbox', { name: 'Choose Tote' })).toHaveProperty('checked', true);
    expect(screen.getByText('1 chosen')).toBeTruthy();
  });

  it.each(['REMOVED', 'UNAVAILABLE'] as const)(
    'counts what is %s although its answer was lost, and names only the rest',
    async (act) => {
      expectErrors(/The market cannot answer just now/);
      const tote = anOwnProduct({ product_id: 'p2', prod_name: 'Tote' });
      productsAre(anOwnProduct(), tote);
      const lost = () => new HttpResponse(null, { status: 502 });
      const owned = (result: OwnProduct) => HttpResponse.json({ success: true, result });
      server.use(
        http.get('*/v1/check-CartItems/:id', () =>
          HttpResponse.json({ exist: false, message: '' }),
        ),
        http.delete('*/v1/product/:id', lost),
        http.put('*/v1/products/:id/toggle-status', lost),
        http.get('*/v1/product/p1', () =>
          act === 'REMOVED'
            ? HttpResponse.json({ message: 'Gone' }, { status: 404 })
            : owned(anOwnProduct({ status: act })),
        ),
        http.get('*/v1/product/p2', () => owned(tote)),
      );
      renderAt('/dashboard', pages);
      fireEvent.click(await screen.findByRole('button', { name: 'Choose several' }));
      press('Choose all 2 shown');
      if (act === 'UNAVAILABLE') press('Make unavailable');
      else {
        press('Remove them');
        press('Remove 2 products');
      }
      const failed = await screen.findByRole('dialog', { name: /^1 of 2 was not / });
      expect(within(failed).getAllByRole('listitem')).toHaveLength(1);
      expect(failed.textContent).toContain('ToteThe market cannot answer just now.');
    },
  );

  it.each(['removed', 'made unavailable'] as const)(
    'says of one product no more that it failed, where it is %s although the answer was lost',
    async (done) => {
      const isRemoved = done === 'removed';
      productsAre(anOwnProduct());
      const off = anOwnProduct({ status: 'UNAVAILABLE' });
      const lost = () => {
        productsAre(...(isRemoved ? [] : [off]));
        return new HttpResponse(null, { status: 502 });
      };
      server.use(
        http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
        http.delete('*/v1/product/p1', lost),
        http.put('*/v1/products/p1/toggle-status', lost),
        http.get('*/v1/product/p1', () =>
          isRemoved
            ? HttpResponse.json({ message: 'Gone' }, { status: 404 })
            : HttpResponse.json({ success: true, result: off }),
        ),
      );
      renderAt('/dashboard', pages);
      const available = await screen.findByRole('button', availability);
      if (!isRemoved) fireEvent.click(available);
      else {
        press(/^Remove/);
        press('Remove');
      }
      if (isRemoved)
        await waitFor(() => expect(toastTexts).toEqual(['successfully removed your product']));
      else {
        await screen.findByText('1 unavailable');
        expect(toastTexts).toEqual([]);
      }
    },
  );

  it('says why a removal is refused for another reason', async () => {
    productsAre(anOwnProduct());
    const message = 'The same request is still being worked on';
    server.use(
      http.get('*/v1/check-CartItems/p1', () => HttpResponse.json({ exist: false, message: '' })),
      http.delete('*/v1/product/p1', () =>
        HttpResponse.json({ message, code: 'in_progress' }, { status: 409 }),
      ),
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({ success: true, result: anOwnProduct() }),
      ),
    );
    renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
    press(/^Remove/);
    press('Remove');
    await waitFor(() => expect(toastTexts).toEqual([message]));
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
    await screen.findByRole('button', availability);
    press(/^Remove/);
    press('Remove');
    expect(await screen.findByText(/^No Products avialable/)).toBeTruthy();
    expect(toastTexts).toEqual(['successfully removed your product']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('All Products'));
  });

  it('asks on until the market has answered: what is being removed can no longer be kept', async () => {
    productsAre(anOwnProduct());
    const answer = delayedAnswer(() => HttpResponse.json({ exist: true, message: '' }));
    server.use(http.get('*/v1/check-CartItems/p1', answer.resolver));
    renderAt('/dashboard', pages);
    await screen.findByRole('button', availability);
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
    expect(toastTexts).toEqual(['This product is still in transaction!']);
  });

  it('says that a product is removed once nothing covers the page any more', async () => {
    productsAre(anOwnProduct());
    const list = delayedAnswer(() => answerOf([]));
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
    await screen.findByRole('button', availability);
    press(/^Remove/);
    press('Remove');
    await waitFor(() => expect(isAskedAgain).toBe(true));
    // A message outside of an open dialog is heard and reached by nobody.
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(toastTexts).toEqual([]);
    list.release();
    await waitFor(() => expect(toastTexts).toEqual(['successfully removed your product']));
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
