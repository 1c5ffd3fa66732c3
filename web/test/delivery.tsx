import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { Location } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Order } from '../src/api/types.js';
import Confirmation from '../src/features/checkout/DeliveryConfirmationPage.js';
import { currentOrders, saveOrder } from '../src/stores/orders.js';
import { changeAuthStorage, initialAuthStorage } from '../src/stores/persistent-store.js';
import { registerToaster, type ToastRequest } from '../src/ui/toast.js';
import { anOrder, answersFor } from './orders.js';
import { renderAt } from './render.js';

let made = 0;

/** A key that no other test has used. */
export const newKey = () => {
  made += 1;
  return `${String(made).padStart(8, '0')}-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA`;
};

/** For the tests of a file: a market with the orders that `placed` adds, and what was sent and shown. */
export function setUpDelivery() {
  const server = setupServer();
  const orders = new Map<string, Order>();
  /** The requests that answer for an order or report a problem. */
  const sent: { method: string; path: string; body: unknown }[] = [];
  const toasts: ToastRequest[] = [];
  let unregister = () => {};
  const record = async (request: Request) => {
    const text = await request.text();
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname,
      body: text === '' ? undefined : JSON.parse(text),
    });
  };
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => {
    for (const { key } of currentOrders()) saveOrder(key, 'closed');
    changeAuthStorage(() => initialAuthStorage);
    sent.length = 0;
    toasts.length = 0;
    unregister = registerToaster((request) => toasts.push(request));
    server.use(
      answersFor(orders),
      http.put('*/v1/buyers/transactions/:key', async ({ request }) => {
        await record(request);
        return HttpResponse.json({ ok: true });
      }),
      http.post('*/v1/orders/:key/:what', async ({ request }) => {
        await record(request);
        return HttpResponse.json({ success: true, message: 'Thank you.' });
      }),
    );
  });
  afterEach(() => {
    unregister();
    server.resetHandlers();
  });
  afterAll(() => server.close());
  const placed = (change: Partial<Order> = {}, key = newKey()) => {
    orders.set(key, anOrder({ ...change, transactionId: key }));
    return key;
  };
  return { server, orders, placed, sent, toasts };
}

const PATH = '/payment/verify/delivery-confirmation';
/** @param at the hash of the address, or a whole location to open again */
export const open = (at: string | Location = '') =>
  renderAt(typeof at === 'string' ? PATH + at : at, [{ path: PATH, element: <Confirmation /> }]);
export const question = () => screen.findByRole('button', { name: 'Yes' });
export const heading = () => screen.getByRole('heading', { level: 1 });
/** The stage that this browser has stored of an order. */
export const stageOf = (key: string) => currentOrders().find((order) => order.key === key)?.stage;
