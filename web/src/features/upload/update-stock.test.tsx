import { pagePaths } from '@oja/contracts/pages';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { anOwnProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import { freshToken } from '../../../test/signed-in-pages.js';
import { heldBack, hold, press, setUpUpdates, updateAddress } from '../../../test/uploading.js';
import { invalidate } from '../../api/query-client.js';
import Update from './UpdateProductPage.js';

const { server, toastTexts } = setUpUpdates();

const pages = [{ path: pagePaths.updateProduct, element: <Update /> }];

describe('update of the stock', () => {
  it.each([
    ['40', 40],
    ['', null],
  ])('counts anew, or no more: %j', async (typed, stock) => {
    let sent: unknown;
    server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({
          success: true,
          subcategoryID: 3,
          result: anOwnProduct({ stock: 3 }),
        }),
      ),
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^How many do you have/ }));
    expect(screen.getByLabelText(/^How many/, { selector: 'input[name=stock]' })).toHaveProperty(
      'value',
      '3',
    );
    fireEvent.change(screen.getByLabelText(/^How many/, { selector: 'input[name=stock]' }), {
      target: { value: typed },
    });
    press('update Product');
    await waitFor(() => expect(sent).toEqual({ stock, stock_was: 3 }));
  });

  describe('while buyers buy', () => {
    /** What the market has, and what was sent to it. */
    let left: number | undefined;
    let sent: unknown[] = [];
    beforeEach(() => {
      left = 10;
      sent = [];
      server.use(
        http.get('*/v1/product/p1', () =>
          HttpResponse.json({
            success: true,
            subcategoryID: 3,
            result: anOwnProduct({
              image_urls: ['http://images.localhost/one', 'http://images.localhost/two'],
              ...(left !== undefined && { stock: left }),
            }),
          }),
        ),
        http.put<never, { stock: number; stock_was: number }>(
          '*/v1/product/update/p1',
          async ({ request }) => {
            const body = await request.json();
            sent.push(body);
            if (body.stock_was === left) {
              left = body.stock;
              return HttpResponse.json({ success: true, message: 'updated' });
            }
            const errors = { stock: `is ${left} now` };
            const failure = { message: 'no', code: 'stock_changed', errors, stock: left };
            return HttpResponse.json(failure, { status: 409 });
          },
        ),
      );
    });
    const tickStock = async () =>
      fireEvent.click(await screen.findByRole('checkbox', { name: /^How many do you have/ }));
    const box = () =>
      screen.getByLabelText<HTMLInputElement>(/^How many/, { selector: 'input[name=stock]' });
    const typeStock = (value: string) => fireEvent.change(box(), { target: { value } });
    const threeAreSold = async () => {
      left = 7;
      await act(() => invalidate(['own-product']));
    };

    it('a figure that nobody touched follows the count', async () => {
      const { router } = renderAt(updateAddress, pages);
      await tickStock();
      expect(box().value).toBe('10');
      await threeAreSold();
      await waitFor(() => expect(box().value).toBe('7'));
      press('update Product');
      await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
      expect(sent).toEqual([{ stock: 7, stock_was: 7 }]);
    });

    it('one typed over an older count is kept and not sent, until its seller has read the new one', async () => {
      const { router } = renderAt(updateAddress, pages);
      await tickStock();
      typeStock('15');
      await threeAreSold();
      press('update Product');
      expect(await screen.findByText(/it is 7 now/)).toBeTruthy();
      expect(document.activeElement).toBe(box());
      expect(box().value).toBe('15');
      expect(sent).toEqual([]);
      typeStock('12');
      press('update Product');
      await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
      expect(sent).toEqual([{ stock: 12, stock_was: 7 }]);
      expect(sessionStorage).toHaveLength(0);
    });

    it.each([
      [7, /it is 7 now/],
      [undefined, /they are not counted now/],
    ])('what the page does not know yet is told by the market: %s', async (now, words) => {
      expectErrors(/^ApiError: no$/);
      renderAt(updateAddress, pages);
      await tickStock();
      typeStock('15');
      left = now;
      press('update Product');
      expect(await screen.findByText(words)).toBeTruthy();
      expect(box().value).toBe('15');
      await waitFor(() => expect(document.activeElement).toBe(box()));
      press('update Product');
      await waitFor(() => expect(sent).toHaveLength(2));
      expect(sent[1]).toEqual({ stock: 15, stock_was: now ?? null });
    });

    it('one that is typed while the form saves is typed over what is saved', async () => {
      const answer = hold('the answer');
      server.use(
        http.put('*/v1/product/update/p1', async ({ request }) => {
          sent.push(await request.json());
          await heldBack.get('the answer');
          left = 12;
          return HttpResponse.json({ success: true, message: 'updated' });
        }),
      );
      renderAt(updateAddress, pages);
      await tickStock();
      typeStock('12');
      press('update Product');
      await waitFor(() => expect(sent).toHaveLength(1));
      typeStock('13');
      answer();
      await waitFor(() => expect(toastTexts).toEqual(['updated']));
      press('update Product');
      await waitFor(() => expect(sent).toHaveLength(2));
      expect(sent[1]).toEqual({ stock: 13, stock_was: 12 });
    });

    describe('and the answer to a count is lost', () => {
      /** The market takes 15, and its answer does not come. */
      const lose = async (typed = '15') => {
        expectErrors(/The market cannot answer just now/);
        server.use(
          http.put(
            '*/v1/product/update/p1',
            () => {
              left = 15;
              return new HttpResponse(null, { status: 502 });
            },
            { once: true },
          ),
        );
        await tickStock();
        typeStock(typed);
        press('update Product');
        await waitFor(() => expect(toastTexts).toHaveLength(1));
      };
      const isUpdated = (router: ReturnType<typeof renderAt>['router']) =>
        waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
      /** The page has read what was saved, and takes it for what was typed here. */
      const isRead = () =>
        waitFor(() =>
          expect(sessionStorage.getItem('oja-update-p1')).toContain('"stock_was":"15"'),
        );
      const cannotRead = () =>
        server.use(
          http.get('*/v1/product/p1', () => HttpResponse.json({}, { status: 401 })),
          freshToken,
        );

      it.each(['15', ' 15'])(
        'it is not called changed meanwhile, once the page has read it: %j',
        async (typed) => {
          const { router } = renderAt(updateAddress, pages);
          await lose(typed);
          await isRead();
          press('update Product');
          await isUpdated(router);
          expect(sent.at(-1)).toEqual({ stock: 15, stock_was: 15 });
          expect(sessionStorage).toHaveLength(0);
        },
      );

      it('nor where the page could not read it, and another figure is typed', async () => {
        expectErrors(/That did not work/);
        const { router } = renderAt(updateAddress, pages);
        await screen.findByRole('checkbox', { name: /^How many do you have/ });
        cannotRead();
        await lose();
        typeStock('16');
        press('update Product');
        await isUpdated(router);
        expect(sent).toEqual([
          { stock: 16, stock_was: 10 },
          { stock: 16, stock_was: 15 },
        ]);
      });

      it('nor in a form that is opened again', async () => {
        renderAt(updateAddress, pages);
        await lose();
        cleanup();
        const { router } = renderAt(updateAddress, pages);
        await waitFor(() => expect(box().value).toBe('15'));
        press('update Product');
        await isUpdated(router);
      });

      it('and what is sold since is taken off it', async () => {
        renderAt(updateAddress, pages);
        await lose();
        await isRead();
        left = 12;
        await act(() => invalidate(['own-product']));
        await waitFor(() => expect(box().value).toBe('12'));
      });
    });

    it.each([
      ['refused with 403', '*/v1/product/update/p1', 'put', 403],
      ['refused with 429', '*/v1/product/update/p1', 'put', 429],
      ['not sent, as the pictures could not be', '*/v1/settings', 'get', 404],
    ] as const)(
      'one that was %s is not taken for saved when the product has that count later',
      async (why, address, method, status) => {
        expectErrors(new RegExp(why));
        renderAt(updateAddress, pages);
        await tickStock();
        typeStock('15');
        if (method === 'get') fireEvent.click(screen.getByRole('checkbox', { name: /^Pictures/ }));
        server.use(
          http[method](address, () => HttpResponse.json({ message: why }, { status })),
          freshToken,
        );
        press('update Product');
        await waitFor(() => expect(toastTexts).toEqual([expect.stringContaining(why)]));
        left = 15;
        await act(() => invalidate(['own-product']));
        press('update Product');
        expect(await screen.findByText(/it is 15 now/)).toBeTruthy();
      },
    );

    it('an unticked figure leaves nothing behind', async () => {
      renderAt(updateAddress, pages);
      await tickStock();
      await tickStock();
      expect(sessionStorage).toHaveLength(0);
      expect(screen.queryByRole('button', { name: 'update Product' })).toBeNull();
    });
  });

  it.each(['-1', '1.5'])('keeps a stock of %j to be mended, and sends nothing', async (typed) => {
    renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^How many do you have/ }));
    const stock = screen.getByLabelText(/^How many/, { selector: 'input[name=stock]' });
    fireEvent.change(stock, { target: { value: typed } });
    press('update Product');
    await screen.findByText(/^Type a whole number/);
    expect(stock).toHaveProperty('value', typed);
    expect(document.activeElement).toBe(stock);
  });
});
