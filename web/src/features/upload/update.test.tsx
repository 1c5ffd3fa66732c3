import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedPage } from '../../../test/delayed.js';
import { anOwnProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import {
  heldBack,
  hold,
  pick,
  press,
  setUpUpdates,
  shrinkOnceReleased,
  type,
  updateAddress,
} from '../../../test/uploading.js';
import { queryClient } from '../../api/query-client.js';
import { productQuery } from '../product/product-data.js';
import Update from './UpdateProductPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const { server, seen, toastTexts } = setUpUpdates();

const pages = [{ path: pagePaths.updateProduct, element: <Update /> }];

describe('update', () => {
  it('opens only what is ticked, starts from the own figure, and sends no more', async () => {
    let sent: unknown;
    server.use(
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const { router, container } = renderAt(updateAddress, pages);
    const price = await screen.findByRole('checkbox', { name: /^Price/ });
    expect(screen.queryByRole('button', { name: 'update Product' })).toBeNull();
    fireEvent.click(price);
    expect(screen.getByLabelText(/^Your price/)).toHaveProperty('value', '27,000');
    expect(screen.getByText('Oja adds 10 %')).toBeTruthy();
    expect(screen.queryByLabelText(/^Brand/, { selector: 'input[name=brand]' })).toBeNull();
    await expectAccessible(container);
    type(/^Your price/, '20000');
    press('update Product');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect(sent).toEqual({ price: 22_000 });
    expect(toastTexts).toEqual(['successfully updated your product']);
  });

  it('says that its product did not load, and no longer that it takes one moment', async () => {
    expectErrors(/That did not work\./);
    server.use(http.get('*/v1/product/p1', () => HttpResponse.json({}, { status: 409 })));
    renderAt(updateAddress, pages);
    expect(await screen.findByText('That did not load')).toBeTruthy();
    expect(screen.queryByText(/One moment|Tick what you want/)).toBeNull();
  });

  it('leads to the product as it is now, not to what its page showed before', async () => {
    let result = anOwnProduct();
    server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({ success: true, subcategoryID: 3, result }),
      ),
      http.put('*/v1/product/update/p1', () => {
        result = anOwnProduct({ prod_name: 'Better watch' });
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const { router } = renderAt(updateAddress, pages);
    await queryClient.fetchQuery(productQuery('p1'));
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Product name/ }));
    press('update Product');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect(queryClient.getQueryData(productQuery('p1').queryKey)?.prod_name).toBe('Better watch');
  });

  it('keeps the focus on the page whose button has gone, until the next page is there', async () => {
    server.use(
      http.put('*/v1/product/update/p1', () =>
        HttpResponse.json({ success: true, message: 'successfully updated your product' }),
      ),
    );
    const next = delayedPage(pagePaths.product);
    renderAt(updateAddress, [...pages, next.route]);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Product name/ }));
    screen.getByRole('button', { name: 'update Product' }).focus();
    press('update Product');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'update Product' })).toBeNull(),
    );
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })),
    );
    next.release();
    expect(await screen.findByText(pagePaths.product)).toBeTruthy();
  });

  it('marks the picture that the host refused, and says why', async () => {
    expectErrors(/Invalid image file/);
    const image_urls = ['one', 'two'].map((name) => `http://images.localhost/${name}`);
    server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({
          success: true,
          subcategoryID: 3,
          result: anOwnProduct({ image_urls }),
        }),
      ),
      http.get('http://images.localhost/*', () => new HttpResponse()),
      http.post('http://images.localhost/*', () =>
        HttpResponse.json({ error: { message: 'Invalid image file' } }, { status: 400 }),
      ),
    );
    renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Pictures/ }));
    await pick('new.png');
    press('update Product');
    await waitFor(() =>
      expect(toastTexts).toEqual(['Invalid image file: something went wrong! Try again.']),
    );
    expect(screen.getAllByText('Not sent')).toHaveLength(1);
  });

  it('removes, adds and reorders pictures of what is up', async () => {
    let sent: unknown;
    const image_urls = ['one', 'two', 'three'].map((name) => `http://images.localhost/${name}`);
    server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({
          success: true,
          subcategoryID: 3,
          result: anOwnProduct({ image_urls }),
        }),
      ),
      http.get('http://images.localhost/*', () => new HttpResponse()),
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const { router, container } = renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Pictures/ }));
    await expectAccessible(container);
    fireEvent.click(screen.getByText('Remove picture 1'));
    await pick('new.png');
    press('Move picture 3 forward');
    press('Move picture 2 forward');
    press('update Product');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    const [, two, three] = image_urls;
    expect(sent).toEqual({ imageUrls: ['http://images.localhost/1.jpg', two, three] });
    expect(seen.pictures).toBe(1);
  });

  it('asks before the tab is closed on the way, and leaves a seller who went elsewhere there', async () => {
    const answer = hold('the answer');
    const asked = vi.fn();
    server.use(
      http.put('*/v1/product/update/p1', async () => {
        asked();
        await heldBack.get('the answer');
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const { router } = renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Price/ }));
    press('update Product');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    const leave = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leave);
    expect(leave.defaultPrevented).toBe(true);
    await act(() => router.navigate('/cart-contents/single'));
    answer();
    await waitFor(() => expect(toastTexts).toEqual(['successfully updated your product']));
    await act(async () => {});
    expect(router.state.location.pathname).toBe('/cart-contents/single');
  });

  it('keeps what is typed while it saves, and goes on once that is saved too', async () => {
    const answer = hold('the answer');
    const sent: unknown[] = [];
    server.use(
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent.push(await request.json());
        await heldBack.get('the answer');
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const { router } = renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Price/ }));
    press('update Product');
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.click(screen.getByRole('checkbox', { name: /^Description/ }));
    const description = () => screen.getByRole<HTMLTextAreaElement>('textbox');
    await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(2));
    const [typed] = screen.getAllByRole('textbox').filter(({ tagName }) => tagName === 'TEXTAREA');
    fireEvent.change(typed ?? document.body, { target: { value: 'Keeps good time.' } });
    answer();
    await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(1));
    expect(description().value).toBe('Keeps good time.');
    await waitFor(() =>
      expect(
        screen.getByRole('button', { name: 'update Product' }).getAttribute('aria-busy'),
      ).toBeNull(),
    );
    press('update Product');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect(sent).toEqual([{ price: expect.any(Number) }, { description: 'Keeps good time.' }]);
  });

  it('has two pictures at least after a change too', async () => {
    renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Pictures/ }));
    press('update Product');
    expect(await screen.findByText('minimum number of file is 2.')).toBeTruthy();
  });

  it('works in a browser that stores nothing', async () => {
    let sent: unknown;
    server.use(
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const refuses = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    const refusing = { getItem: refuses, setItem: refuses, removeItem: refuses, clear: () => {} };
    vi.stubGlobal('sessionStorage', refusing);
    const { router } = renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Product name/ }));
    fireEvent.change(screen.getByRole('textbox', { name: /^Product name/ }), {
      target: { value: 'Better watch' },
    });
    press('update Product');
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect(sent).toEqual({ prod_name: 'Better watch' });
  });

  it('says so when it fails, and keeps what was typed', async () => {
    expectErrors(/^ApiError: No$/);
    server.use(
      http.put('*/v1/product/update/p1', () =>
        HttpResponse.json({ success: false, message: 'No' }, { status: 409 }),
      ),
    );
    const { unmount } = renderAt(updateAddress, pages);
    fireEvent.click(await screen.findByRole('checkbox', { name: /^Product name/ }));
    fireEvent.change(screen.getByRole('textbox', { name: /^Product name/ }), {
      target: { value: 'Better watch' },
    });
    press('update Product');
    await waitFor(() => expect(toastTexts).toEqual(['No: something went wrong! Try again.']));
    unmount();
    renderAt(updateAddress, pages);
    const again = await screen.findByRole('textbox', { name: /^Product name/ });
    expect(again).toHaveProperty('value', 'Better watch');
  });
});
