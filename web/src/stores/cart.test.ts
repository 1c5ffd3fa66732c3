import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aProduct } from '../../test/products.js';
import {
  addToCart,
  removeFromCart,
  restoreToCart,
  startSingleOrder,
  sumCart,
  toggleCart,
} from './cart.js';
import { refreshCart, removeBought, setQuantity } from './cart-checkout.js';
import {
  changeAuthStorage,
  followOtherTabs,
  initialAuthStorage,
  useAuthStorage,
} from './persistent-store.js';

const watch = aProduct();
const shea = aProduct({ product_id: 'p2', user_id: 's2', prod_name: 'Shea butter', price: 3_800 });
const items = () => useAuthStorage.getState().itemsAddedToCart;
const fee = () => useAuthStorage.getState().deliveryFee;
const stored = () => JSON.parse(localStorage.getItem('auth-storage') ?? 'null')?.state;

beforeEach(() => changeAuthStorage(() => initialAuthStorage));

describe('the cart', () => {
  it('takes a product with quantity 1, and a second time changes nothing', () => {
    expect(addToCart(watch)).toBe('added');
    expect(addToCart(watch)).toBe('there');
    expect(items()).toHaveLength(1);
    expect(items()[0]).toMatchObject({ product_id: 'p1', user_id: 's1', quantity: 1 });
  });

  it('toggles: in, out, in', () => {
    expect(toggleCart(watch)).toBe('added');
    expect(toggleCart(watch)).toMatchObject({ place: 0 });
    expect(items()).toEqual([]);
    expect(toggleCart(watch)).toBe('added');
  });

  it('puts a removed line back where it stood, with its quantity', () => {
    addToCart(watch);
    addToCart(shea);
    setQuantity('p1', 's1', 3);
    const removed = removeFromCart('p1');
    if (removed === undefined) throw new Error('nothing was removed');
    restoreToCart(removed);
    expect(items().map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      ['p1', 3],
      ['p2', 1],
    ]);
  });

  it('puts the product chosen by Single order back as the chosen one, unless another was chosen since', () => {
    startSingleOrder(watch);
    const removed = removeFromCart('p1');
    if (removed === undefined) throw new Error('nothing was removed');
    expect(useAuthStorage.getState().singleProductId).toBeNull();
    restoreToCart(removed);
    expect(useAuthStorage.getState().singleProductId).toBe('p1');
    const again = removeFromCart('p1');
    if (again === undefined) throw new Error('nothing was removed');
    startSingleOrder(shea);
    restoreToCart(again);
    expect(useAuthStorage.getState().singleProductId).toBe('p2');
  });

  it('keeps quantities whole and between 1 and 99, matched on product and user', () => {
    addToCart(watch);
    setQuantity('p1', 's1', 0);
    expect(items()[0]?.quantity).toBe(1);
    setQuantity('p1', 's1', 100);
    expect(items()[0]?.quantity).toBe(99);
    setQuantity('p1', 'somebody else', 5);
    expect(items()[0]?.quantity).toBe(99);
  });

  it('holds 50 lines and no more', () => {
    for (let n = 0; n < 50; n += 1) addToCart(aProduct({ product_id: `line-${n}` }));
    expect(addToCart(watch)).toBe('full');
    expect(startSingleOrder(watch)).toBe('full');
    expect(useAuthStorage.getState().singleProductId).toBeNull();
  });

  it('puts nothing back into a cart that has been filled since', () => {
    const many = Array.from({ length: 50 }, (_, n) => aProduct({ product_id: `p${n}` }));
    for (const product of many) addToCart(product);
    const removed = removeFromCart('p7');
    addToCart(aProduct({ product_id: 'another' }));
    expect(removed && restoreToCart(removed)).toBe('full');
    expect(items()).toHaveLength(50);
  });

  it('counts in kobo, so that prices with kobo add up', () => {
    addToCart(aProduct({ price: 0.1 }));
    addToCart(aProduct({ product_id: 'p3', price: 0.2 }));
    expect(sumCart(items())).toBe(30);
  });

  it('records a single order as the chosen product', () => {
    startSingleOrder(watch);
    expect(useAuthStorage.getState().singleProductId).toBe('p1');
    expect(useAuthStorage.getState().showButton).toEqual({ p1: true });
  });

  it('takes over new prices without touching quantities', () => {
    addToCart(shea);
    setQuantity('p2', 's2', 2);
    refreshCart([{ ...shea, price: 4_000 }]);
    expect(items()[0]).toMatchObject({ price: 4_000, quantity: 2 });
  });
});

describe('the delivery fee', () => {
  it('is 800 before any cart and below 5,000, and 0 above', () => {
    expect(fee()).toBe(800);
    addToCart(shea);
    expect(fee()).toBe(800);
    addToCart(watch);
    expect(fee()).toBe(0);
    removeFromCart('p1');
    expect(fee()).toBe(800);
  });

  it('stays as it is at exactly 5,000', () => {
    const exact = aProduct({ price: 5_000 });
    addToCart(exact);
    expect(fee()).toBe(800);
    addToCart(shea);
    expect(fee()).toBe(0);
    removeFromCart('p2');
    expect(fee()).toBe(0);
  });

  it('is 800 again once the cart is emptied', () => {
    addToCart(watch);
    removeBought();
    expect(fee()).toBe(800);
    addToCart(aProduct({ price: 5_000 }));
    expect(fee()).toBe(800);
  });

  it('is what it was once a removal is undone', () => {
    addToCart(aProduct({ price: 5_000 }));
    addToCart(shea);
    removeFromCart('p2');
    const removed = removeFromCart('p1');
    if (removed === undefined) throw new Error('nothing was removed');
    expect(fee()).toBe(800);
    restoreToCart(removed);
    expect(fee()).toBe(0);
  });
});

describe('what is kept', () => {
  it('is exactly the seven named keys', () => {
    addToCart(watch);
    expect(Object.keys(stored()).sort()).toEqual(
      [
        'deliveryFee',
        'itemsAddedToCart',
        'pid',
        'showButton',
        'singleProductId',
        'status',
        'user',
      ].sort(),
    );
  });

  it('starts from what another tab has written', () => {
    addToCart(watch);
    const other = stored();
    other.itemsAddedToCart.push({ product_id: 'other', user_id: 's9', quantity: 4 });
    localStorage.setItem('auth-storage', JSON.stringify({ state: other, version: 1 }));
    addToCart(shea);
    expect(items().map((item) => item.product_id)).toEqual(['p1', 'other', 'p2']);
  });

  it('follows another tab as it writes', () => {
    const stop = followOtherTabs();
    localStorage.setItem(
      'auth-storage',
      JSON.stringify({
        state: { itemsAddedToCart: [{ product_id: 'x', user_id: 'y', quantity: 2 }] },
        version: 1,
      }),
    );
    dispatchEvent(new StorageEvent('storage', { key: 'auth-storage' }));
    expect(items()).toEqual([{ product_id: 'x', user_id: 'y', quantity: 2 }]);
    stop();
  });

  it('survives storage that was cleared behind its back', () => {
    addToCart(watch);
    localStorage.clear();
    addToCart(shea);
    expect(items()).toHaveLength(2);
    expect(stored().itemsAddedToCart).toHaveLength(2);
  });

  it.each([
    'not json',
    '{"state":{"itemsAddedToCart":"three","deliveryFee":"free","user":7},"version":1}',
    '{"state":{"itemsAddedToCart":[null,4,{"product_id":"a"}],"showButton":[]},"version":0}',
    '[]',
  ])('starts anew from spoiled storage: %s', async (spoiled) => {
    localStorage.setItem('auth-storage', spoiled);
    changeAuthStorage(() => ({ pid: 'p1' }));
    const { itemsAddedToCart, user, pid } = useAuthStorage.getState();
    expect({ itemsAddedToCart, user, pid }).toEqual({
      itemsAddedToCart: [],
      user: null,
      pid: 'p1',
    });
  });

  it.each([
    [0, 1],
    [-3, 1],
    [2.7, 2],
    [500, 99],
    ['5', 1],
    [null, 1],
  ])('reads a stored quantity of %j as %i', (quantity, expected) => {
    const state = { itemsAddedToCart: [{ product_id: 'a', user_id: 'b', quantity }] };
    localStorage.setItem('auth-storage', JSON.stringify({ state, version: 1 }));
    changeAuthStorage(() => ({}));
    expect(items()[0]?.quantity).toBe(expected);
  });
  it('reads one line of a product that a spoiled storage has twice', () => {
    const line = { product_id: 'a', user_id: 'b', quantity: 1 };
    const state = { itemsAddedToCart: [line, { ...line, quantity: 5 }] };
    localStorage.setItem('auth-storage', JSON.stringify({ state, version: 1 }));
    changeAuthStorage(() => ({}));
    expect(items()).toEqual([line]);
  });

  it('goes on in memory when storage is full', () => {
    const { getItem } = localStorage;
    const setItem = vi.fn(() => {
      throw new Error('QuotaExceededError');
    });
    vi.stubGlobal('localStorage', { getItem: getItem.bind(localStorage), setItem });
    addToCart(watch);
    addToCart(shea);
    vi.unstubAllGlobals();
    expect(items()).toHaveLength(2);
    expect(setItem).toHaveBeenCalled();
  });
});
