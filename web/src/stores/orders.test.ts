import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { saveOrder, setDeliveryStatus, useHasUnconfirmed, useOrders } from './orders.js';

describe('the orders of this browser', () => {
  it('are kept under oja-orders, newest first, each at its stage', () => {
    saveOrder('a.secret', 'placed');
    saveOrder('b.secret', 'placed');
    saveOrder('a.secret', 'paid');
    const { result } = renderHook(() => useOrders());
    expect(result.current.map(({ key, stage }) => [key, stage])).toEqual([
      ['b.secret', 'placed'],
      ['a.secret', 'paid'],
    ]);
    expect(localStorage.getItem('oja-orders')).toContain('a.secret');
  });

  it('ring the bell from payment until Yes, and after No', () => {
    saveOrder('a.secret', 'paid');
    const { result, rerender } = renderHook(() => useHasUnconfirmed());
    expect(result.current).toBe(true);
    saveOrder('a.secret', 'closed');
    rerender();
    expect(result.current).toBe(false);
    setDeliveryStatus('Pending');
    rerender();
    expect(result.current).toBe(true);
    setDeliveryStatus('AVAILABLE');
  });
});
