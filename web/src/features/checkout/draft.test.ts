import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveOrder } from '../../stores/orders.js';
import type { Checkout } from './api.js';
import { deleteDraft, discardAttempt, findOrCreateAttempt, loadBuyer, saveBuyer } from './draft.js';

const order: Checkout = {
  full_name: 'Chiamaka Okonkwo',
  email: 'chiamaka@example.com',
  home_address: '14 Bode Thomas St, Surulere',
  phone_number: '0803 412 7765',
  amount: 31_050,
  buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 1 }],
};
const NOW = Date.parse('2026-11-21T12:00:00Z');

const keyFor = async (of: Checkout, now: number) => (await findOrCreateAttempt(of, now)).key;

/** Forgets what this tab knows, but not what the browser does. */
async function newTab(): Promise<typeof import('./draft.js')> {
  deleteDraft();
  vi.resetModules();
  return import('./draft.js');
}

const refuses = (): never => {
  throw new Error('QuotaExceededError');
};

/** Replaces the tab's storage by a full one, which still has what was stored. */
function fillStorage(): void {
  let stored = sessionStorage.getItem('oja-checkout');
  const removeItem = () => {
    stored = null;
  };
  vi.stubGlobal('sessionStorage', { getItem: () => stored, setItem: refuses, removeItem });
}

beforeEach(() => deleteDraft());
afterEach(() => vi.unstubAllGlobals());

describe('the key of an order', () => {
  it('is the same for the same order, however often it is sent', async () => {
    expect(await keyFor(order, NOW + 60_000)).toBe(await keyFor(order, NOW));
  });

  it('outlives a reload', async () => {
    const key = await keyFor(order, NOW);
    vi.resetModules();
    const reloaded = await import('./draft.js');
    expect((await reloaded.findOrCreateAttempt(order, NOW)).key).toBe(key);
  });

  it.each<[string, Partial<Checkout>]>([
    ['the buyer', { phone_number: '0803 412 7766' }],
    ['the amount', { amount: 31_850 }],
    ['the goods', { buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 2 }] }],
  ])('is another once %s changed', async (_, change) => {
    expect(await keyFor({ ...order, ...change }, NOW)).not.toBe(await keyFor(order, NOW));
  });

  it('is another once the order has expired, has been paid, or is somebody else’s', async () => {
    const first = await keyFor(order, NOW);
    const second = await keyFor(order, NOW + ORDER_EXPIRES_AFTER_MS);
    expect(second).not.toBe(first);
    discardAttempt();
    const third = await keyFor(order, NOW);
    expect(third).not.toBe(second);
    deleteDraft();
    expect(await keyFor(order, NOW)).not.toBe(third);
  });

  it('is that of another tab of this browser, as long as its order is not paid', async () => {
    const attempt = await findOrCreateAttempt(order, NOW);
    saveOrder('o1.secret', 'placed', { attempt });
    const tab = await newTab();
    const inTab = async (of: Checkout) => (await tab.findOrCreateAttempt(of, Date.now())).key;
    expect(await inTab(order)).toBe(attempt.key);
    expect(await inTab({ ...order, amount: 31_850 })).not.toBe(attempt.key);
    expect(await inTab(order)).toBe(attempt.key);
    const orders = await import('../../stores/orders.js');
    orders.saveOrder('o1.secret', 'paid');
    expect(await inTab(order)).not.toBe(attempt.key);
  });

  it('is not that of another tab whose order has expired, or whose key the server knows for another', async () => {
    const attempt = await findOrCreateAttempt(order, NOW);
    saveOrder('o2.secret', 'placed', { attempt });
    const late = Date.now() + ORDER_EXPIRES_AFTER_MS;
    const tab = await newTab();
    expect((await tab.findOrCreateAttempt(order, late)).key).not.toBe(attempt.key);
    expect((await tab.findOrCreateAttempt(order, Date.now())).key).not.toBe(attempt.key);
    tab.deleteDraft();
    expect((await tab.findOrCreateAttempt(order, Date.now())).key).toBe(attempt.key);
    tab.discardAttempt();
    expect((await tab.findOrCreateAttempt(order, Date.now())).key).not.toBe(attempt.key);
  });

  it('expires with the order of the other tab, however late this one has taken it over', async () => {
    const attempt = await findOrCreateAttempt(order, NOW);
    saveOrder('o4.secret', 'placed', { attempt });
    const expires = Date.now() + ORDER_EXPIRES_AFTER_MS;
    const tab = await newTab();
    expect((await tab.findOrCreateAttempt(order, expires - 1_000)).key).toBe(attempt.key);
    expect((await tab.findOrCreateAttempt(order, expires + 1_000)).key).not.toBe(attempt.key);
  });

  it('keeps no name and no address for the other tabs', async () => {
    saveOrder('o3.secret', 'placed', { attempt: await findOrCreateAttempt(order, NOW) });
    expect(localStorage.getItem('oja-orders')).not.toMatch(/Chiamaka|Bode|0803/);
  });

  it('is kept in memory when storage has become full', async () => {
    const kept = await keyFor(order, NOW);
    fillStorage();
    const other = { ...order, full_name: 'Ngozi Eze' };
    const key = await keyFor(other, NOW);
    expect(key).not.toBe(kept);
    expect(await keyFor(other, NOW)).toBe(key);
  });

  it('is kept in memory where storage is forbidden', async () => {
    vi.stubGlobal('sessionStorage', { getItem: refuses, setItem: refuses, removeItem: refuses });
    expect(await keyFor(order, NOW)).toBe(await keyFor(order, NOW));
  });
});

describe('what was typed', () => {
  it('is there after a reload, beside the key', async () => {
    const key = await keyFor(order, NOW);
    saveBuyer({ full_name: 'Chiamaka' });
    expect(loadBuyer()).toEqual({ full_name: 'Chiamaka' });
    expect(await keyFor(order, NOW)).toBe(key);
  });

  it.each(['nonsense{', '[]', '{"buyer":{"email":7},"attempt":{"key":1}}'])(
    'is nothing when storage holds %s',
    async (spoiled) => {
      sessionStorage.setItem('oja-checkout', spoiled);
      expect(loadBuyer()).toEqual({});
      expect(await keyFor(order, NOW)).toBeTruthy();
    },
  );
});
