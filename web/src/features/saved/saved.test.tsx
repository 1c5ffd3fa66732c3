import { pagePaths } from '@oja/contracts/pages';
import { SAVED_STORAGE, SEEN_STORAGE } from '@oja/contracts/wire';
import { limits } from '@oja/domain/rules';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import { goodsByIdsQuery } from '../../api/goods-by-ids.js';
import { queryClient } from '../../api/query-client.js';
import { followOtherTabs } from '../../stores/persistent-store.js';
import { rememberSeen, toggleSaved } from '../../stores/saved-and-seen.js';
import { registerToaster, type ToastRequest } from '../../ui/toast.js';
import Product from '../product/ProductPage.js';
import { clearSeen, removeSaved, restoreSeen } from './lists.js';
import Saved from './SavedPage.js';

const watch = aProduct();
const bag = aProduct({ product_id: 'p2', prod_name: 'Raffia bag' });
const shoe = aProduct({ product_id: 'p3', prod_name: 'Canvas sneakers' });
const server = setupServer();
const kept = (name: string): readonly string[] =>
  JSON.parse(localStorage.getItem(name) ?? '{}').state?.ids ?? [];
const stored = (ids: unknown) => JSON.stringify({ state: { ids }, version: 1 });
const many = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  localStorage.setItem(SAVED_STORAGE, stored([]));
  removeSaved([]);
  clearSeen();
  server.use(...market([watch, bag, shoe]));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (address: string) =>
  renderAt(address, [
    { path: pagePaths.saved, element: <Saved /> },
    { path: pagePaths.product, element: <Product /> },
  ]);
const productPage = () => open('/single-product/3/p1');
const names = () =>
  screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
/** Simulates a write by another tab. */
const writtenElsewhere = (name: string, ids: unknown) =>
  act(async () => {
    localStorage.setItem(name, stored(ids));
    dispatchEvent(new StorageEvent('storage', { key: name }));
  });

describe('saved goods', () => {
  it('are those whose heart was pressed, newest first, with their prices of now', async () => {
    toggleSaved('p2');
    toggleSaved('p1');
    const { container } = open('/saved');
    await screen.findByText('Raffia bag');
    expect(names()).toEqual(['Field watch, olive strap', 'Raffia bag']);
    expect(screen.getAllByText('31,050')).toHaveLength(2);
    await expectAccessible(container);
  });

  it('go when the heart is pressed again, and the focus stays on the page', async () => {
    toggleSaved('p2');
    open('/saved');
    const heart = await screen.findByRole('button', { name: 'Save: Raffia bag' });
    expect(heart.getAttribute('aria-pressed')).toBe('true');
    heart.focus();
    fireEvent.click(heart);
    await screen.findByRole('heading', { name: 'Nothing is saved here yet' });
    expect(document.activeElement?.textContent).toBe('Saved');
    expect(kept(SAVED_STORAGE)).toEqual([]);
  });

  it('are none at first, which says how to save', async () => {
    const { container } = open('/saved');
    await screen.findByText(/Press the heart of a product/);
    await expectAccessible(container);
  });

  it('that are not on the market are counted, and forgotten when asked to', async () => {
    server.resetHandlers(...market([watch, { ...bag, status: 'UNAVAILABLE' }]));
    for (const id of ['p1', 'p2', 'gone']) toggleSaved(id);
    open('/saved');
    await screen.findByText('2 more are not on the market just now.');
    expect(names()).toEqual(['Field watch, olive strap']);
    fireEvent.click(screen.getByRole('button', { name: 'Forget them' }));
    expect(kept(SAVED_STORAGE)).toEqual(['p1']);
  });

  it('are not taken for away before the market has answered for them', async () => {
    onTestFinished(followOtherTabs());
    toggleSaved('p1');
    open('/saved');
    await screen.findByText('Field watch, olive strap');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(http.get('*/v1/products/by-ids', () => held));
    await writtenElsewhere(SAVED_STORAGE, ['p2', 'p1']);
    await waitFor(() => expect(queryClient.isFetching()).toBe(1));
    expect(screen.queryByText(/not on the market/)).toBeNull();
    answer();
    await screen.findByText('Raffia bag');
  });

  it('are asked for again when they did not load', async () => {
    expectErrors(/ApiError: no/);
    toggleSaved('p1');
    server.use(
      http.get('*/v1/products/by-ids', () => HttpResponse.json({ message: 'no' }, { status: 400 })),
    );
    open('/saved');
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers(...market([watch]));
    fireEvent.click(again);
    await screen.findByText('Field watch, olive strap');
  });

  it('are as many as one call answers', async () => {
    const toasts: ToastRequest[] = [];
    onTestFinished(registerToaster((toast) => toasts.push(toast)));
    for (const id of many(limits.savedGoods.max)) toggleSaved(id);
    productPage();
    const heart = await screen.findByRole('button', { name: 'Save: Field watch, olive strap' });
    fireEvent.click(heart);
    expect(toasts.map(({ text }) => text)).toEqual(['Your list holds at most 50 products.']);
    expect(heart.getAttribute('aria-pressed')).toBe('false');
  });

  it('follow other tabs, whatever those wrote', async () => {
    onTestFinished(followOtherTabs());
    open('/saved');
    await writtenElsewhere(SAVED_STORAGE, ['p1', 7, '', 'p1']);
    await screen.findByText('Field watch, olive strap');
    expect(names()).toHaveLength(1);
    await writtenElsewhere(SAVED_STORAGE, 'spoiled');
    await screen.findByText('Nothing is saved here yet');
  });
});

describe('recently seen goods', () => {
  const row = () => screen.findByRole('region', { name: 'Recently seen' });

  it('stand below a product without the product itself, newest first', async () => {
    rememberSeen('p2');
    rememberSeen('p3');
    const { container } = productPage();
    const seen = within(await row());
    await seen.findByRole('heading', { name: 'Raffia bag' });
    expect(seen.getAllByRole('heading', { level: 3 }).map((one) => one.textContent)).toEqual([
      'Canvas sneakers',
      'Raffia bag',
    ]);
    expect(kept(SEEN_STORAGE)).toEqual(['p1', 'p3', 'p2']);
    await expectAccessible(container);
  });

  it('are not there when nothing else was seen, or all of it is gone', async () => {
    rememberSeen('gone');
    productPage();
    await screen.findByRole('heading', { level: 1, name: 'Field watch, olive strap' });
    const answer = () => queryClient.getQueryData(goodsByIdsQuery(['p1', 'gone']).queryKey);
    await waitFor(() => expect(answer()).toBeDefined());
    await waitFor(() => expect(screen.queryByText('Recently seen')).toBeNull());
  });

  it('stay when they could not be read again', async () => {
    expectErrors(/ApiError: no/);
    rememberSeen('p2');
    productPage();
    await within(await row()).findByRole('heading', { name: 'Raffia bag' });
    server.use(
      http.get('*/v1/products/by-ids', () => HttpResponse.json({ message: 'no' }, { status: 400 })),
    );
    const goods = goodsByIdsQuery(['p1', 'p2']).queryKey;
    await act(() => queryClient.refetchQueries({ queryKey: goods }));
    expect(queryClient.getQueryState(goods)?.status).toBe('error');
    await row();
  });

  it('are forgotten when asked to, and come back with Undo', async () => {
    const toasts: ToastRequest[] = [];
    onTestFinished(registerToaster((toast) => toasts.push(toast)));
    rememberSeen('p2');
    productPage();
    const clear = await screen.findByRole('button', { name: /^Clear/ });
    fireEvent.click(clear);
    expect(screen.queryByText('Recently seen')).toBeNull();
    expect(kept(SEEN_STORAGE)).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Field watch, olive strap');
    act(() => toasts[0]?.action?.onPress());
    expect(kept(SEEN_STORAGE)).toEqual(['p1', 'p2']);
    await row();
  });

  it('are twenty at most; the oldest is forgotten', () => {
    for (const id of many(limits.seenGoods.max + 1)) rememberSeen(id);
    expect(kept(SEEN_STORAGE)).toHaveLength(20);
    expect(kept(SEEN_STORAGE)).not.toContain('x0');
    restoreSeen(['x0']);
    expect(kept(SEEN_STORAGE)).not.toContain('x0');
  });
});
