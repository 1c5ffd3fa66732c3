import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
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
  vi,
} from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { anOrder, ORDER_ID, ORDER_KEY } from '../../../test/orders.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import type { Order } from '../../api/types.js';
import { addToCart, startSingleOrder } from '../../stores/cart.js';
import { currentOrders, saveOrder } from '../../stores/orders.js';
import {
  changeAuthStorage,
  initialAuthStorage,
  useAuthStorage,
} from '../../stores/persistent-store.js';
import { findOrCreateAttempt, loadBuyer, saveBuyer } from './draft.js';
import Verify from './PaymentVerificationPage.js';
import { forgetOrder } from './payments.js';

const server = setupServer(
  http.get('*/v1/orders/*', () => HttpResponse.json({ success: true, order: anOrder() })),
);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  changeAuthStorage(() => initialAuthStorage);
  for (const { key } of currentOrders()) saveOrder(key, 'closed');
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const verifyAnswers = (answer: () => Response) =>
  server.use(http.get('*/v1/transaction/verify/:reference', answer));
const open = (query = `?trxref=${ORDER_ID}&reference=${ORDER_ID}`) =>
  renderAt(`/payment/verify${query}`, [
    { path: pagePaths.paymentVerification, element: <Verify /> },
  ]);
const ok = (transactionId?: string) => () =>
  HttpResponse.json({ ok: true, status: 'success', ...(transactionId && { transactionId }) });
const contact = () => screen.getByRole('link', { name: 'Contact us' }).getAttribute('href') ?? '';

describe('payment verification', () => {
  it('says that it is asking, then that the payment was successful, with the way on', async () => {
    verifyAnswers(ok(`${ORDER_ID}.first-visit-secret-0000`));
    const { container } = open();
    expect(screen.getByRole('heading', { name: 'Payment Verification' })).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Payment was successful!' })).toBeTruthy();
    expect(await screen.findByText(/Adunni Textiles and Glow by Bisi have been told/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'To confirmation' }).getAttribute('href')).toBe(
      '/payment/verify/delivery-confirmation',
    );
    await expectAccessible(container);
  });

  it('leads to the question about this order, whose key stays out of the address', async () => {
    verifyAnswers(ok(ORDER_KEY));
    const { router } = open();
    // Pressed as soon as it stands there, before anything else could be done about the answer.
    const watcher = new MutationObserver(() => {
      const link = screen.queryByRole('link', { name: 'To confirmation' });
      if (link === null) return;
      watcher.disconnect();
      link.click();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    await waitFor(() =>
      expect(router.state.location).toMatchObject({
        pathname: pagePaths.deliveryConfirmation,
        hash: '',
        state: { orderKey: ORDER_KEY },
      }),
    );
  });

  it('names the order, its goods, where the receipt went, and what happens next', async () => {
    const written = vi.fn(async () => {});
    vi.stubGlobal('navigator', { onLine: true, userAgent: '', clipboard: { writeText: written } });
    onTestFinished(() => void vi.unstubAllGlobals());
    verifyAnswers(ok(ORDER_KEY));
    saveOrder(ORDER_KEY, 'placed');
    saveBuyer({ email: 'ngozi@example.com' });
    const { container } = open();
    const bought = within(await screen.findByRole('region', { name: 'What you bought' }));
    expect(bought.getByText('Adire eleko cotton')).toBeTruthy();
    expect(screen.getByText('ngozi@example.com')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'What happens next' })).toBeTruthy();
    expect(screen.getByText('10AAD119')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Copy the order number' }));
    expect(written).toHaveBeenCalledWith('10AAD119');
    expect(loadBuyer()).toEqual({});
    const deliver = within(screen.getByRole('list', { name: 'Order steps' })).getByText('Deliver');
    expect(deliver.getAttribute('aria-current')).toBe('step');
    await expectAccessible(container);
  });

  const settled = (status: Order['shares'][number]['status']) => ({
    shares: anOrder().shares.map((share) => ({ ...share, status })),
  });

  it.each<[string, Partial<Order>, string, readonly string[]]>([
    [
      'came',
      { recieved: 'DELIVERED', delivered_at: '2026-11-23T09:05:00.000Z', ...settled('released') },
      'You have confirmed this delivery',
      ['Order', 'Pay', 'Deliver', 'Confirm'],
    ],
    ['is settled', { recieved: 'DELIVERED', ...settled('released') }, 'This order is settled', []],
    [
      'was given back',
      { recieved: 'REFUNDED', ...settled('refunded') },
      'Your money was given back',
      [],
    ],
    [
      'is looked into',
      { recieved: 'DISPUTED', ...settled('disputed') },
      'We are looking into your problem',
      ['Order', 'Pay'],
    ],
  ])('says of an order that %s where it stands now', async (_, change, title, done) => {
    verifyAnswers(ok(ORDER_KEY));
    server.use(
      http.get('*/v1/orders/*', () => HttpResponse.json({ success: true, order: anOrder(change) })),
    );
    const { container } = open();
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Payment was successful!' })).toBeTruthy();
    expect(screen.queryByText(/Held until you confirm|have been told/)).toBeNull();
    expect(screen.queryByRole('heading', { name: 'What happens next' })).toBeNull();
    const ticked = screen
      .queryAllByRole('listitem')
      .filter((step) => within(step).queryByRole('img', { name: 'Done' }) !== null);
    expect(ticked.map((step) => step.textContent)).toEqual(done);
    await expectAccessible(container);
  });

  it('says of an order that was paid twice that the other payment goes back', async () => {
    verifyAnswers(ok(ORDER_KEY));
    const order = anOrder({ payment_returned: true });
    server.use(http.get('*/v1/orders/*', () => HttpResponse.json({ success: true, order })));
    open();
    expect(await screen.findByText(/^You paid for this order more than once\./)).toBeTruthy();
  });

  it('names the sellers that are still to deliver, and no other', async () => {
    const [first, ...others] = anOrder().shares;
    if (first === undefined) throw new Error('it has two sellers');
    const shares = [{ ...first, status: 'refunded' as const }, ...others];
    verifyAnswers(ok(ORDER_KEY));
    server.use(
      http.get('*/v1/orders/*', () =>
        HttpResponse.json({ success: true, order: anOrder({ shares }) }),
      ),
    );
    open();
    expect(await screen.findByText(/Glow by Bisi has been told to deliver/)).toBeTruthy();
    expect(screen.queryByText(/Adunni Textiles and/)).toBeNull();
  });

  it('says no address of a receipt that another tab asked for', async () => {
    verifyAnswers(ok(ORDER_KEY));
    open();
    expect(await screen.findByText('Receipt sent by e-mail')).toBeTruthy();
  });

  it('keeps the order as paid, empties the cart and shows the bell, once', async () => {
    const key = '20aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    const [id] = key.split('.');
    verifyAnswers(ok(key));
    saveOrder(key, 'placed');
    addToCart(aProduct());
    const first = open(`?reference=${id}`);
    await screen.findByText('Payment was successful!');
    await waitFor(() => expect(useAuthStorage.getState().itemsAddedToCart).toEqual([]));
    expect(useAuthStorage.getState().status).toBe('Pending');
    expect(currentOrders().find((order) => order.key === key)?.stage).toBe('paid');
    first.unmount();

    saveOrder(key, 'closed');
    addToCart(aProduct());
    open(`?reference=${id}`);
    await screen.findByText('Payment was successful!');
    await waitFor(() => expect(screen.getByText(/have been told/)).toBeTruthy());
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
    expect(currentOrders().find((order) => order.key === key)?.stage).toBe('closed');
  });

  it('leaves in the cart what another tab has added since the order was placed', async () => {
    const key = '70aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    verifyAnswers(ok(key));
    startSingleOrder(aProduct());
    saveOrder(key, 'placed', { goods: ['p1'] });
    addToCart(aProduct({ product_id: 'p3', prod_name: 'Black soap' }));
    open('?reference=70aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    const { itemsAddedToCart, singleProductId } = useAuthStorage.getState();
    expect(itemsAddedToCart.map((line) => line.product_id)).toEqual(['p3']);
    expect(singleProductId).toBeNull();
  });

  it('replaces the other orders of the same goods that wait for a payment', async () => {
    const keyOf = (n: number) => `9${n}aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA`;
    const [changed, paid, other, old] = [keyOf(0), keyOf(1), keyOf(2), keyOf(3)];
    saveOrder(old, 'placed');
    saveOrder(changed, 'placed', { goods: ['p1', 'p2'] });
    saveOrder(other, 'placed', { goods: ['p3'] });
    saveOrder(paid, 'placed', { goods: ['p1'] });
    verifyAnswers(ok(paid));
    open('?reference=91aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    const replaced = currentOrders().filter(({ paidInstead }) => paidInstead !== undefined);
    expect(replaced).toMatchObject([
      { key: changed, stage: 'placed', paidInstead: '91aad119-55ff-5003-b2be-e166dd5e1668' },
    ]);
  });

  it('acts on a payment once, even if its order is forgotten meanwhile', async () => {
    const key = '50aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    verifyAnswers(ok(key));
    saveOrder(key, 'placed');
    const first = open('?reference=50aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    first.unmount();

    forgetOrder(key);
    addToCart(aProduct());
    open('?reference=50aad119-55ff-5003-b2be-e166dd5e1668');
    await screen.findByText('Payment was successful!');
    await waitFor(() => expect(screen.getByText(/have been told/)).toBeTruthy());
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
    expect(currentOrders().some((order) => order.key === key)).toBe(false);
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
  });

  it('does not bring back a forgotten order, nor empty the next cart, in a new tab', async () => {
    const key = 'a0aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    verifyAnswers(ok(key));
    saveOrder(key, 'placed', { goods: ['p1'] });
    const first = open('?reference=a0aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    first.unmount();
    forgetOrder(key);
    addToCart(aProduct());

    // As from the history, in a new tab: it begins without what the first one kept.
    sessionStorage.clear();
    open('?reference=a0aad119-55ff-5003-b2be-e166dd5e1668');
    await screen.findByText('A0AAD119');
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
    expect(currentOrders().some((order) => order.key === key)).toBe(false);
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
  });

  it('keeps an order that was forgotten before it was paid', async () => {
    const key = 'c0aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    onTestFinished(() => forgetOrder(key));
    verifyAnswers(ok(key));
    saveOrder(key, 'placed', { goods: ['p1'] });
    forgetOrder(key);
    open('?reference=c0aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    expect(currentOrders().find((order) => order.key === key)?.stage).toBe('paid');
  });

  it('takes nothing out of the cart for an order that only the cookie knows', async () => {
    const key = 'b0aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    onTestFinished(() => forgetOrder(key));
    verifyAnswers(ok(key));
    addToCart(aProduct());
    open('?reference=b0aad119-55ff-5003-b2be-e166dd5e1668');
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('Pending'));
    expect(currentOrders().find((order) => order.key === key)?.stage).toBe('paid');
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
  });

  it('forgets what was typed, though another tab has seen the payment first', async () => {
    const key = '60aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    verifyAnswers(ok(key));
    saveOrder(key, 'paid');
    saveBuyer({ email: 'ngozi@example.com' });
    addToCart(aProduct());
    open('?reference=60aad119-55ff-5003-b2be-e166dd5e1668');
    await screen.findByText('Payment was successful!');
    await waitFor(() => expect(loadBuyer()).toEqual({}));
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
  });

  it('knows its own order by the reference when the cookie is gone', async () => {
    const key = '30aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    saveOrder(key, 'placed');
    verifyAnswers(ok());
    open('?reference=30aad119-55ff-5003-b2be-e166dd5e1668-2');
    await screen.findByText('Payment was successful!');
    await waitFor(() =>
      expect(currentOrders().find((order) => order.key === key)?.stage).toBe('paid'),
    );
  });

  it('changes nothing in a browser that did not place the order', async () => {
    verifyAnswers(ok());
    addToCart(aProduct());
    open('?reference=40aad119-55ff-5003-b2be-e166dd5e1668');
    await screen.findByText('Payment was successful!');
    expect(screen.queryByText(/money is with Oja/)).toBeNull();
    expect(screen.getByText('Oja keeps your money until you confirm delivery.')).toBeTruthy();
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
  });

  it('says that verification failed, and fills the contact form', async () => {
    verifyAnswers(() => HttpResponse.json({ ok: false, status: 'failed' }));
    const { container } = open();
    expect(
      await screen.findByRole('heading', { name: 'Payment verification failed.' }),
    ).toBeTruthy();
    const address = new URL(contact(), 'http://localhost');
    expect(address.pathname).toBe('/contact');
    expect(address.searchParams.get('subject')).toBe('VERFICATION ERROR');
    expect(address.searchParams.get('message')).toContain(ORDER_ID);
    await expectAccessible(container);
  });

  it.each([
    ['sold_out', false],
    ['mismatched', false],
    ['reversed', false],
    ['abandoned', true],
  ])('sends a new order after %s: the same one is %s', async (status, isSame) => {
    const key = '80aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    onTestFinished(() => forgetOrder(key));
    const order = {
      full_name: 'Ngozi Eze',
      email: 'ngozi@example.com',
      home_address: '4 Odim Street, Nsukka',
      phone_number: '08031234567',
      amount: 11_500,
      buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 1 }],
    };
    const attempt = await findOrCreateAttempt(order, Date.now());
    saveOrder(key, 'placed', { attempt });
    verifyAnswers(() => HttpResponse.json({ ok: false, status }));
    open('?reference=80aad119-55ff-5003-b2be-e166dd5e1668');
    await screen.findByRole('link', { name: 'Back to the payment form' });
    const next = await findOrCreateAttempt(order, Date.now());
    expect(next.key === attempt.key).toBe(isSame);
  });

  it('checks again when asked', async () => {
    verifyAnswers(() => HttpResponse.json({ ok: false, status: 'ongoing' }));
    open();
    await screen.findByText(/has not finished yet/);
    const answer = delayedAnswer(ok(ORDER_KEY));
    server.use(http.get('*/v1/transaction/verify/:reference', answer.resolver));
    const button = screen.getByRole('button', { name: 'Check again' });
    button.focus();
    fireEvent.click(button);
    const heading = () => screen.getByRole('heading', { level: 1 });
    await screen.findByText('Verifying your payment');
    // The button and its heading went with their state; the keyboard and the screen reader go on at the next.
    expect(document.activeElement).toBe(heading());
    answer.release();
    await screen.findByRole('heading', { name: 'Payment was successful!' });
    expect(document.activeElement).toBe(heading());
  });

  it.each(['', '?reference=', '?reference=%20'])(
    'asks nothing without a reference: %s',
    async (query) => {
      const { container } = open(query);
      expect(screen.getByRole('heading', { name: 'No payment reference found.' })).toBeTruthy();
      expect(contact()).toContain('/contact?subject=VERFICATION');
      await expectAccessible(container);
    },
  );

  it('reads trxref where reference is missing', async () => {
    verifyAnswers(ok(ORDER_KEY));
    open(`?trxref=${ORDER_ID}`);
    expect(await screen.findByRole('heading', { name: 'Payment was successful!' })).toBeTruthy();
  });

  it('says that there was an error when the request fails', async () => {
    verifyAnswers(() => HttpResponse.json({ success: false, message: 'No.' }, { status: 404 }));
    open();
    expect(await screen.findByRole('heading', { name: 'Error verifying payment.' })).toBeTruthy();
  });
});
