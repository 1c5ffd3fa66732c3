import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { anOwnProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import {
  heldBack,
  hold,
  pick,
  press,
  setUpUpdates,
  shrinkOnceReleased,
  updateAddress,
} from '../../../test/uploading.js';
import { queryClient } from '../../api/query-client.js';
import { settingsQuery } from '../../api/settings.js';
import Update from './UpdateProductPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const { server, seen, toastTexts } = setUpUpdates();

const pages = [{ path: pagePaths.updateProduct, element: <Update /> }];

describe('pictures that are still being scaled down', () => {
  const image_urls = ['one', 'two'].map((name) => `http://localhost/v1/image/${name}.webp`);
  /** What was sent of the product. */
  let sent: unknown;
  const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^Pictures/ });
  const tickPictures = async () => fireEvent.click(await box());
  beforeEach(() => {
    sent = undefined;
    server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({
          success: true,
          subcategoryID: 3,
          result: anOwnProduct({ image_urls }),
        }),
      ),
      http.put('*/v1/product/update/p1', async ({ request }) => {
        sent = await request.json();
        await heldBack.get('the answer');
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
  });

  it('are waited for under the bar, and sent', async () => {
    const goOn = hold('new.png');
    const { router } = renderAt(updateAddress, pages);
    await tickPictures();
    await pick('new.png');
    press('update Product');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('33');
    expect(screen.getByText('Picture 1 of 3. Keep this page open.')).toBeTruthy();
    await waitFor(() => expect(queryClient.getQueryData(settingsQuery.queryKey)).toBeDefined());
    await act(async () => goOn());
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect(sent).toEqual({ imageUrls: [...image_urls, 'http://images.localhost/1.jpg'] });
    expect(sessionStorage).toHaveLength(0);
  });

  it('are said to be saved once nothing covers the page any more', async () => {
    const goOn = hold('the product as it is now');
    let isAskedAgain = false;
    renderAt(updateAddress, pages);
    await tickPictures();
    fireEvent.click(screen.getByText('Remove picture 1'));
    await pick('new.png');
    await screen.findByText('Remove picture 2');
    toastTexts.length = 0;
    server.use(
      http.get('*/v1/product/p1', async () => {
        isAskedAgain = true;
        await heldBack.get('the product as it is now');
        return HttpResponse.json({ success: true, subcategoryID: 3, result: anOwnProduct() });
      }),
    );
    press('update Product');
    await waitFor(() => expect(isAskedAgain).toBe(true));
    // A message outside of an open dialog is heard and reached by nobody.
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(toastTexts).toEqual([]);
    goOn();
    await waitFor(() => expect(toastTexts).toEqual(['successfully updated your product']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('leave the form as it is when they cannot be read and too few are left', async () => {
    expectErrors(/minimum number of file is 2/);
    const goOn = hold('unreadable.png');
    renderAt(updateAddress, pages);
    await tickPictures();
    fireEvent.click(screen.getByText('Remove picture 1'));
    await pick('unreadable.png');
    toastTexts.length = 0;
    press('update Product');
    goOn();
    expect(await screen.findByText('minimum number of file is 2.')).toBeTruthy();
    expect(toastTexts).toEqual([
      'unreadable.png cannot be read as a picture.',
      'minimum number of file is 2.: something went wrong! Try again.',
    ]);
    expect(sent).toBeUndefined();
  });

  it('do not come back once their box was unticked, nor does one with its Undo', async () => {
    const goOn = hold('new.png');
    renderAt(updateAddress, pages);
    await tickPictures();
    fireEvent.click(screen.getByText('Remove picture 1'));
    await pick('new.png', 'unreadable.png');
    await tickPictures();
    await act(async () => goOn());
    await act(async () => seen.undo());
    expect((await box()).checked).toBe(false);
    expect(sessionStorage).toHaveLength(0);
    await tickPictures();
    expect(screen.getAllByText(/^Remove picture/)).toHaveLength(2);
    expect(document.querySelectorAll('ul > li')).toHaveLength(3);
    expect(toastTexts).toEqual(['Picture 1 was removed.']);
  });

  it('open nothing again after everything was sent', async () => {
    const answer = hold('the answer');
    const goOn = hold('late.png');
    const { router } = renderAt(updateAddress, pages);
    await tickPictures();
    await pick('new.png');
    await screen.findByText('Remove picture 3');
    press('update Product');
    await waitFor(() => expect(sent).toBeDefined());
    await pick('late.png');
    answer();
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    await act(async () => goOn());
    expect(sessionStorage).toHaveLength(0);
  });

  it('stay beside what is typed before they show', async () => {
    const goOn = hold('new.png');
    renderAt(updateAddress, pages);
    await tickPictures();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Product name/ }));
    await pick('new.png');
    await act(async () => {
      goOn();
      await vi.waitFor(() => expect(sessionStorage.getItem('oja-update-p1')).toContain('new.png'));
      fireEvent.change(screen.getByRole('textbox', { name: /^Product name/ }), {
        target: { value: 'Better watch' },
      });
    });
    expect(await screen.findByText('Remove picture 3')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: /^Product name/ })).toHaveProperty(
      'value',
      'Better watch',
    );
  });

  it('come into the form that was left and opened again', async () => {
    const goOn = hold('new.png');
    const first = renderAt(updateAddress, pages);
    await tickPictures();
    await pick('new.png');
    first.unmount();
    renderAt(updateAddress, pages);
    await box();
    goOn();
    await screen.findByText('Remove picture 3');
    press('update Product');
    await waitFor(() =>
      expect(sent).toEqual({ imageUrls: [...image_urls, 'http://images.localhost/1.jpg'] }),
    );
  });

  it('are sent once, when the form is left on the way and the one that comes back is pressed too', async () => {
    const goOn = hold('the host');
    let puts = 0;
    server.use(
      http.post('http://images.localhost/upload', async () => {
        seen.pictures += 1;
        await heldBack.get('the host');
        return HttpResponse.json({ secure_url: 'http://images.localhost/1.jpg' });
      }),
      http.put('*/v1/product/update/p1', () => {
        puts += 1;
        return HttpResponse.json({ success: true, message: 'successfully updated your product' });
      }),
    );
    const first = renderAt(updateAddress, pages);
    await tickPictures();
    await pick('new.png');
    await screen.findByText('Remove picture 3');
    press('update Product');
    await waitFor(() => expect(seen.pictures).toBe(1));
    first.unmount();
    const leave = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leave);
    expect(leave.defaultPrevented).toBe(true);
    const { router } = renderAt(updateAddress, pages);
    const button = await screen.findByText('update Product');
    expect(screen.getByRole('progressbar')).toBeTruthy();
    fireEvent.click(button);
    goOn();
    await waitFor(() => expect(router.state.location.pathname).toBe('/single-product/3/p1'));
    expect([seen.pictures, puts]).toEqual([1, 1]);
    const later = new Event('beforeunload', { cancelable: true });
    dispatchEvent(later);
    expect(later.defaultPrevented).toBe(false);
  });
});
