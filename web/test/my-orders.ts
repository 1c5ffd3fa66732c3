import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Order } from '../src/api/types.js';
import { currentOrders, removeOrder, saveOrder } from '../src/stores/orders.js';
import { changeAuthStorage, initialAuthStorage } from '../src/stores/persistent-store.js';
import { anOrder, answersFor } from './orders.js';

/** What is different in an order that was placed so many hours ago and not paid. */
export const unpaid = (hours: number): Partial<Order> => ({
  status: 'pending',
  paid_at: null,
  report_from: null,
  created_at: new Date(Date.now() - hours * 3_600_000).toISOString(),
});

/**
 * For the tests of the orders that this browser placed: a server that knows `orders`, by key, and a browser that has
 * placed none at the start of each test.
 */
export function setUpMyOrders() {
  const server = setupServer();
  const orders = new Map<string, Order>();
  let made = 0;

  /** Places the newest order of this browser. Its number is 100 plus the count of orders so far. */
  function placed(
    change: Partial<Order> = {},
    stage: 'placed' | 'paid' | 'closed' = 'paid',
    goods?: readonly string[],
  ): string {
    made += 1;
    const key = `00000${made}-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA`;
    const order = anOrder({ ...change, transactionId: key });
    orders.set(key, order);
    vi.setSystemTime(order.created_at);
    saveOrder(key, stage, { goods });
    vi.useRealTimers();
    return key;
  }

  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => {
    made = 100;
    orders.clear();
    for (const { key } of currentOrders()) removeOrder(key);
    changeAuthStorage(() => initialAuthStorage);
    server.use(answersFor(orders));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    server.resetHandlers();
  });
  afterAll(() => server.close());
  return { server, orders, placed };
}
