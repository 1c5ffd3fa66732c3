import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Checkout } from './api.js';
import { dropKey, forgetDraft, keepTyped, keyFor, typedBefore } from './draft.js';

const order: Checkout = {
  full_name: 'Chiamaka Okonkwo',
  email: 'chiamaka@example.com',
  home_address: '14 Bode Thomas St, Surulere',
  phone_number: '0803 412 7765',
  amount: 31_050,
  buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 1 }],
};
const NOW = Date.parse('2026-11-21T12:00:00Z');

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

beforeEach(() => forgetDraft());
afterEach(() => vi.unstubAllGlobals());

describe('the key of an order', () => {
  it('is the same for the same order, however often it is sent', () => {
    expect(keyFor(order, NOW + 60_000)).toBe(keyFor(order, NOW));
  });

  it('outlives a reload', async () => {
    const key = keyFor(order, NOW);
    vi.resetModules();
    const reloaded = await import('./draft.js');
    expect(reloaded.keyFor(order, NOW)).toBe(key);
  });

  it.each<[string, Partial<Checkout>]>([
    ['the buyer', { phone_number: '0803 412 7766' }],
    ['the amount', { amount: 31_850 }],
    ['the goods', { buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 2 }] }],
  ])('is another once %s changed', (_, change) => {
    expect(keyFor({ ...order, ...change }, NOW)).not.toBe(keyFor(order, NOW));
  });

  it('is another once the order has expired, has been paid, or is somebody else’s', () => {
    const first = keyFor(order, NOW);
    const second = keyFor(order, NOW + ORDER_EXPIRES_AFTER_MS);
    expect(second).not.toBe(first);
    dropKey();
    const third = keyFor(order, NOW);
    expect(third).not.toBe(second);
    forgetDraft();
    expect(keyFor(order, NOW)).not.toBe(third);
  });

  it('is kept in memory when storage has become full', () => {
    const kept = keyFor(order, NOW);
    fillStorage();
    const other = { ...order, full_name: 'Ngozi Eze' };
    const key = keyFor(other, NOW);
    expect(key).not.toBe(kept);
    expect(keyFor(other, NOW)).toBe(key);
  });

  it('is kept in memory where storage is forbidden', () => {
    vi.stubGlobal('sessionStorage', { getItem: refuses, setItem: refuses, removeItem: refuses });
    expect(keyFor(order, NOW)).toBe(keyFor(order, NOW));
  });
});

describe('what was typed', () => {
  it('is there after a reload, beside the key', () => {
    const key = keyFor(order, NOW);
    keepTyped({ full_name: 'Chiamaka' });
    expect(typedBefore()).toEqual({ full_name: 'Chiamaka' });
    expect(keyFor(order, NOW)).toBe(key);
  });

  it.each(['nonsense{', '[]', '{"buyer":{"email":7},"attempt":{"key":1}}'])(
    'is nothing when storage holds %s',
    (spoiled) => {
      sessionStorage.setItem('oja-checkout', spoiled);
      expect(typedBefore()).toEqual({});
      expect(keyFor(order, NOW)).toBeTruthy();
    },
  );
});
