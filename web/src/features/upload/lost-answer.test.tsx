import { pagePaths } from '@oja/contracts/pages';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http, type JsonBodyType, type PathParams } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import {
  fillUpload,
  pick,
  press,
  setUpUploads,
  shrinkOnceReleased,
  type,
} from '../../../test/uploading.js';
import type { Body } from '../../api/types.js';
import { signIn } from '../../stores/session.js';
import { changeDraft, clearDraft, draftAlbum } from './draft.js';
import { isRunning } from './progress.js';
import Upload from './UploadPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const { server, seen, toastTexts } = setUpUploads();
afterEach(() => clearDraft('s7'));

const pages = [{ path: pagePaths.upload, element: <Upload /> }];

describe('an upload after an answer that was lost', () => {
  type Sent = Body<'addProduct'>;
  const key = (request: Request) => request.headers.get('Idempotency-Key') ?? '';
  const json = (body: JsonBodyType, status: number) => HttpResponse.json(body, { status });
  /**
   * A market that makes one product of a key, which this content alone may use again.
   * @param fates what happens to the first posts: with 'lost' the market takes it, with 'unheard' it does not
   */
  function aMarket(...fates: ('lost' | 'unheard')[]) {
    const products = new Map<string, Sent>();
    const updates: unknown[] = [];
    const posts: string[] = [];
    server.use(
      http.post<PathParams, Sent>('*/v1/add-product', async ({ request }) => {
        const fate = fates.shift();
        posts.push(key(request));
        if (fate === 'unheard') return HttpResponse.error();
        const body = await request.json();
        const taken = products.get(key(request)) ?? body;
        products.set(key(request), taken);
        if (fate === 'lost') return HttpResponse.error();
        return JSON.stringify(taken) === JSON.stringify(body)
          ? json({ success: true, productId: `of ${key(request)}` }, 201)
          : json({ success: false, message: 'Used', code: 'idempotency_key_reused' }, 422);
      }),
      http.put('*/v1/product/update/:id', async ({ request }) => {
        updates.push(await request.json());
        return json({ success: true, message: 'successfully updated your product' }, 200);
      }),
    );
    const names = () => [...products.values()].map(({ updatedInput }) => updatedInput.prod_name);
    return { products, posts, updates, names };
  }
  const isOnline = (online: boolean) =>
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  /** Presses Upload without a signal. */
  async function lose(): Promise<void> {
    expectErrors(/You are offline/);
    const before = toastTexts.length;
    isOnline(false);
    press('Upload');
    await waitFor(() => expect(toastTexts.length).toBeGreaterThan(before));
    expect(toastTexts.at(-1)).toMatch(/^You are offline/);
    isOnline(true);
  }
  /** Fills the form, and presses Upload without a signal. */
  async function lost(): Promise<{ isUploaded(): Promise<void> }> {
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    type(/^Brand/, 'Orbit');
    type(/^How many do you have/, '12');
    await lose();
    return {
      isUploaded: () => waitFor(() => expect(router.state.location.pathname).toBe('/dashboard')),
    };
  }
  const AS_CHANGED =
    'It was in your store already, and has your changes now.: successfully uploaded your product!!!';
  const SENT_BEFORE =
    'The market had taken what you sent before: look in your store. If this is another product, press Upload again.';

  it('is one product, as it was typed last, if the market had taken it', async () => {
    const { products, updates } = aMarket('lost');
    const { isUploaded } = await lost();
    type(/^Description/, 'Keeps good time.');
    type(/^Brand/, '');
    type(/^Your price/, '10000');
    type(/^How many do you have/, '3');
    press('Upload');
    await isUploaded();
    expect(products.size).toBe(1);
    expect(updates).toEqual([
      { description: 'Keeps good time.', brand: '', price: 11_000, stock: 3, stock_was: 12 },
    ]);
    expect(toastTexts.at(-1)).toBe(AS_CHANGED);
    expect(seen.pictures).toBe(2);
  });

  it('is one product also if the answer of its update was lost, with the count that was typed', async () => {
    const { products, updates } = aMarket('lost');
    const { isUploaded } = await lost();
    type(/^How many do you have/, '3');
    const changed = { success: false, message: 'Changed', code: 'stock_changed', stock: 3 };
    server.use(
      http.put('*/v1/product/update/:id', () => HttpResponse.error(), { once: true }),
      http.put('*/v1/product/update/:id', () => json(changed, 409), { once: true }),
    );
    await lose();
    type(/^Description/, 'Keeps good time.');
    press('Upload');
    await isUploaded();
    expect(products.size).toBe(1);
    expect(updates).toEqual([{ description: 'Keeps good time.' }]);
  });

  it('is as it was typed last also where an update arrived unheard, and what it changed was taken back', async () => {
    const { products, updates } = aMarket('lost');
    const { isUploaded } = await lost();
    type(/^Your price/, '10000');
    server.use(
      http.put(
        '*/v1/product/update/:id',
        async ({ request }) => {
          updates.push(await request.json());
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    await lose();
    type(/^Your price/, '20000');
    press('Upload');
    await isUploaded();
    expect(products.size).toBe(1);
    expect(updates).toEqual([{ price: 11_000 }, { price: 22_000 }]);
  });

  it('is posted as it was typed last, if the market had not taken it', async () => {
    const { products, updates } = aMarket('unheard');
    const { isUploaded } = await lost();
    type(/^Your price/, '10000');
    press('Upload');
    await isUploaded();
    expect([...products.values()].map(({ updatedInput }) => updatedInput.price)).toEqual([11_500]);
    expect(updates).toEqual([]);
    expect(toastTexts.at(-1)).toBe('successfully uploaded your product!!!');
  });

  it('is one product also if it was changed and lost more than once', async () => {
    const { names, updates } = aMarket('unheard', 'lost');
    const { isUploaded } = await lost();
    type(/^Product name/, 'Field watch, green');
    await lose();
    type(/^Product name/, 'Field watch, olive');
    press('Upload');
    await isUploaded();
    expect(names()).toEqual(['Field watch, green']);
    expect(updates).toEqual([{ prod_name: 'Field watch, olive' }]);
  });

  it('is one product also a day later, when its pictures have to be sent again', async () => {
    const { names, updates } = aMarket('lost');
    const { isUploaded } = await lost();
    act(() => draftAlbum('s7').change((all) => all.map((one) => ({ ...one, sentAt: 0 }))));
    press('Upload');
    await isUploaded();
    expect(names()).toEqual(['Field watch']);
    const imageUrls = [3, 4].map((n) => `http://images.localhost/${n}.jpg`);
    expect(updates).toEqual([{ imageUrls }]);
  });

  it.each<[string, () => unknown, Response?]>([
    [
      'is in another category',
      () => act(() => changeDraft('s7', (now) => ({ ...now, subcategoryId: 6 }))),
    ],
    [
      'has none of its pictures',
      async () => {
        act(() => draftAlbum('s7').change(() => []));
        await pick('c.png', 'd.png');
        await screen.findByText('Remove picture 2');
      },
    ],
    [
      'has meanwhile been removed',
      () => type(/^Product name/, 'Better'),
      json({ success: false, message: 'It is not there' }, 404),
    ],
    [
      'was counted by the orders of it',
      () => type(/^How many do you have/, '3'),
      json({ success: false, message: 'Changed', code: 'stock_changed', stock: 11 }, 409),
    ],
  ])('asks whether it is another product, if it %s', async (_, change, refusal) => {
    expectErrors(new RegExp(SENT_BEFORE));
    const { products, updates } = aMarket('lost');
    if (refusal !== undefined) server.use(http.put('*/v1/product/update/:id', () => refusal));
    const { isUploaded } = await lost();
    await change();
    press('Upload');
    await waitFor(() => expect(toastTexts.at(-1)).toBe(SENT_BEFORE));
    expect([products.size, updates]).toEqual([1, []]);
    await waitFor(() => expect(isRunning('s7')).toBe(false));
    press('Upload');
    await isUploaded();
    expect(products.size).toBe(2);
  });

  it('is asked for by nobody else who has logged in meanwhile', async () => {
    expectErrors(/Log in again/);
    const { posts, updates } = aMarket('lost');
    await lost();
    type(/^Product name/, 'Better watch');
    server.events.on('response:mocked', ({ response }) => {
      if (response.status === 422) act(() => signIn(aSeller({ user_id: 's8' }), 'another'));
    });
    press('Upload');
    await waitFor(() => expect(isRunning('s7')).toBe(false));
    expect([posts.length, updates]).toEqual([2, []]);
  });
});
