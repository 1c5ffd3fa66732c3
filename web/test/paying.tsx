import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Order, Product } from '../src/api/types.js';
import { deleteDraft } from '../src/features/checkout/draft.js';
import PaymentForm from '../src/features/checkout/PaymentFormPage.js';
import { currentOrders, removeOrder } from '../src/stores/orders.js';
import { changeAuthStorage, initialAuthStorage } from '../src/stores/persistent-store.js';
import { answersFor } from './orders.js';
import { aProduct } from './products.js';
import { renderAt } from './render.js';

/** The key of the order that every submission places. */
export const ORDER_KEY = '10aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
export const watch = aProduct();
export const soap = aProduct({
  product_id: 'p2',
  user_id: 's2',
  prod_name: 'Black soap',
  price: 4_000,
  businessName: 'Glow by Bisi',
});

/** The answer to a submission that was taken: the address of the payment page. */
export const paid = () =>
  HttpResponse.json({
    success: true,
    data: { status: true, data: { authorization_url: 'https://pay.example/abc' } },
    transactionId: ORDER_KEY,
  });
export const refuse = (status: number, body: object) => () =>
  HttpResponse.json({ success: false, message: 'No.', ...body }, { status });

export const open = () =>
  renderAt('/payment-form', [{ path: pagePaths.paymentForm, element: <PaymentForm /> }]);
export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
export const type = (name: string, value: string) =>
  fireEvent.change(field(name), { target: { value } });
export const press = () => fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
export const fill = async () => {
  await screen.findByRole('form', { name: 'Payment form' });
  type('Full Name', ' Chiamaka Okonkwo ');
  type('Email address', 'chiamaka@example.com');
  type('Home Address', '14 Bode Thomas St, Surulere');
  type('Phone number', '0803 412 7765');
};

/** For the tests of a file: a market with goods, and a browser that goes nowhere. */
export function setUpPaying() {
  const market = {
    /** The goods that it knows. */
    goods: [] as Product[],
    /** The orders that it knows, by key. */
    orders: new Map<string, Order>(),
    /** The keys of the orders that it was asked about. */
    read: [] as string[],
    /** The requests to initialize. */
    asked: [] as { key: string | null; body: unknown }[],
  };
  const server = setupServer(
    http.get('*/v1/products/by-ids', ({ request }) => {
      const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
      const gone = ids.filter((id) => market.goods.every(({ product_id }) => product_id !== id));
      return HttpResponse.json({
        success: true,
        result: market.goods.filter(({ product_id }) => ids.includes(product_id)),
        gone: gone.map((product_id) => ({ product_id, prod_name: 'Old radio' })),
      });
    }),
    answersFor(market.orders, market.read),
  );
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => {
    market.goods = [watch, soap];
    market.asked = [];
    market.orders.clear();
    market.read.length = 0;
    for (const { key } of currentOrders()) removeOrder(key);
    assign.mockClear();
    deleteDraft();
    changeAuthStorage(() => initialAuthStorage);
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return {
    market,
    server,
    assign,
    /** Answers one submission after another; the last answer repeats. */
    initialize: (...answers: (() => Response)[]) =>
      server.use(
        http.post('*/v1/transaction/initialize', async ({ request }) => {
          const key = request.headers.get('Idempotency-Key');
          market.asked.push({ key, body: await request.json() });
          return (answers[market.asked.length - 1] ?? answers.at(-1) ?? paid)();
        }),
      ),
  };
}
