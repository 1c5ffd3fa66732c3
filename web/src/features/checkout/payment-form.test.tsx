import { pagePaths } from '@oja/contracts/pages';
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
  vi,
} from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { anOrder } from '../../../test/orders.js';
import { aProduct } from '../../../test/products.js';
import { readEverythingAgain, renderAt } from '../../../test/render.js';
import { setAccessToken } from '../../api/client.js';
import type { Product } from '../../api/types.js';
import { addToCart, chooseSingle, removeFromCart } from '../../stores/cart.js';
import { removeBought, setQuantity } from '../../stores/cart-checkout.js';
import { changeKept, untouched } from '../../stores/kept.js';
import { currentOrders } from '../../stores/orders.js';
import { forgetDraft } from './draft.js';
import { PayAgain } from './OrderSettled.js';
import PaymentForm from './PaymentFormPage.js';

const KEY = '10aad119-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
const watch = aProduct();
const soap = aProduct({
  product_id: 'p2',
  user_id: 's2',
  prod_name: 'Black soap',
  price: 4_000,
  businessName: 'Glow by Bisi',
});

/** The goods that the server knows; `asked` has the requests to initialize. */
let goods: Product[] = [];
let asked: { key: string | null; body: unknown }[] = [];
const server = setupServer(
  http.get('*/v1/products/by-ids', ({ request }) => {
    const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
    const gone = ids.filter((id) => goods.every((product) => product.product_id !== id));
    return HttpResponse.json({
      success: true,
      result: goods.filter((product) => ids.includes(product.product_id)),
      gone: gone.map((product_id) => ({ product_id, prod_name: 'Old radio' })),
    });
  }),
);

const paid = () =>
  HttpResponse.json({
    success: true,
    data: { status: true, data: { authorization_url: 'https://pay.example/abc' } },
    transactionId: KEY,
  });
/** Answers one submission after another; the last answer repeats. */
const initialize = (...answers: (() => Response)[]) =>
  server.use(
    http.post('*/v1/transaction/initialize', async ({ request }) => {
      asked.push({ key: request.headers.get('Idempotency-Key'), body: await request.json() });
      return (answers[asked.length - 1] ?? answers.at(-1) ?? paid)();
    }),
  );
const refuse = (status: number, body: object) => () =>
  HttpResponse.json({ success: false, message: 'No.', ...body }, { status });

const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  goods = [watch, soap];
  asked = [];
  assign.mockClear();
  forgetDraft();
  changeKept(() => untouched);
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = () =>
  renderAt('/payment-form', [{ path: pagePaths.paymentForm, element: <PaymentForm /> }]);
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
const fill = async () => {
  await screen.findByRole('form', { name: 'Payment form' });
  type('Full Name', ' Chiamaka Okonkwo ');
  type('Email address', 'chiamaka@example.com');
  type('Home Address', '14 Bode Thomas St, Surulere');
  type('Phone number', '0803 412 7765');
};

describe('the payment form', () => {
  it('shows the order by seller and asks for its total with the fee', async () => {
    addToCart(soap);
    const { container } = open();
    const order = within(screen.getByRole('complementary', { name: 'Your order' }));
    expect(order.getByRole('heading', { name: 'Glow by Bisi' })).toBeTruthy();
    expect(field('Amount').value).toBe('₦4,800');
    expect(field('Amount').readOnly).toBe(true);
    await expectAccessible(container);
  });

  it('sends all five fields and the goods, keeps the order, and goes to the provider', async () => {
    addToCart(watch);
    setQuantity('p1', 's1', 2);
    initialize(paid);
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/abc'));
    expect(asked[0]?.body).toEqual({
      full_name: 'Chiamaka Okonkwo',
      email: 'chiamaka@example.com',
      home_address: '14 Bode Thomas St, Surulere',
      phone_number: '0803 412 7765',
      amount: 62_100,
      buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 2 }],
    });
    expect(screen.getByText('Taking you to the payment page')).toBeTruthy();
    expect(currentOrders()).toMatchObject([{ key: KEY, stage: 'placed', goods: ['p1'] }]);
  });

  it('takes what is pasted from contacts, which has signs around it that nobody sees', async () => {
    addToCart(watch);
    initialize(paid);
    open();
    await fill();
    type('Phone number', '\u202A0803\u00A0412 7765\u202C');
    type('Email address', '\u200Echiamaka@example.com\u200E');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[0]?.body).toMatchObject({
      email: 'chiamaka@example.com',
      phone_number: '0803 412 7765',
    });
  });

  it('asks for the single product that was chosen when the cart is empty', async () => {
    addToCart(soap);
    removeFromCart('p2');
    changeKept(() => ({ singleProductId: 'p2' }));
    initialize(paid);
    open();
    await fill();
    expect(field('Amount').value).toBe('₦4,800');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[0]?.body).toMatchObject({
      amount: 4_800,
      buyerItems: [{ product_id: 'p2', user_id: 's2', quantity: 1 }],
    });
  });

  it('goes on at the heading when its product is asked for again', async () => {
    changeKept(() => ({ singleProductId: 'p2' }));
    server.use(http.get('*/v1/products/by-ids', () => HttpResponse.json({}, { status: 403 })));
    open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers();
    again.focus();
    fireEvent.click(again);
    await screen.findByRole('form', { name: 'Payment form' });
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('says that there is nothing to pay for', async () => {
    const { container } = open();
    expect(screen.getByRole('heading', { name: 'Oops!!! Cart is empty' })).toBeTruthy();
    await expectAccessible(container);
  });

  it('names what is wrong at its field, and goes to the first', async () => {
    addToCart(watch);
    const { container } = open();
    type('Full Name', 'Chiamaka');
    type('Email address', 'chiamaka@gmail');
    press();
    expect(await screen.findByText('Add the part after the dot, like gmail.com')).toBeTruthy();
    expect(screen.getByText('Home Address is required')).toBeTruthy();
    expect(screen.getByText('Phone number is required')).toBeTruthy();
    expect(document.activeElement).toBe(field('Email address'));
    expect(asked).toEqual([]);
    await expectAccessible(container);
  });

  it.each([
    ['Full Name', '@', /^Write a name/],
    ['Home Address', 'Lagos', /^Write number, street and area/],
    ['Phone number', '0803 412 776', /^Write the whole number/],
  ])('asks for a %s that a rider can deliver to, and not for %s', async (label, typed, words) => {
    addToCart(watch);
    open();
    await fill();
    type(label, typed);
    press();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(document.activeElement).toBe(field(label));
    expect(asked).toEqual([]);
  });

  it('shows the server’s errors at their fields and loses nothing', async () => {
    addToCart(watch);
    initialize(refuse(400, { errors: { phone_number: 'must have at least 7 characters' } }));
    open();
    await fill();
    press();
    expect(await screen.findByText('Phone number must have at least 7 characters')).toBeTruthy();
    expect(document.activeElement).toBe(field('Phone number'));
    expect(field('Email address').value).toBe('chiamaka@example.com');
  });

  it('sends the order as nobody, so that signing in between two presses makes no second one', async () => {
    addToCart(watch);
    const sentAs: (string | null)[] = [];
    server.use(
      http.post('*/v1/transaction/initialize', ({ request }) => {
        sentAs.push(request.headers.get('Authorization'));
        return paid();
      }),
    );
    setAccessToken('of a seller');
    onTestFinished(() => setAccessToken(undefined));
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(sentAs).toEqual([null]);
  });

  it('can be sent again, as the same order, where the payment page does not come', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    addToCart(watch);
    initialize(paid);
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalledOnce());
    expect(screen.getByText('Taking you to the payment page')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(screen.queryByText('Taking you to the payment page')).toBeNull();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(2));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  });

  it('makes one order of a double press', async () => {
    addToCart(watch);
    initialize(paid);
    open();
    await fill();
    press();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked).toHaveLength(1);
  });

  it('sends the same order with the same key after a failure, a reload and Back', async () => {
    addToCart(watch);
    initialize(refuse(502, { message: 'The provider does not answer.' }), paid);
    const first = open();
    await fill();
    press();
    const modal = within(await screen.findByRole('dialog', { name: 'Payment Error' }));
    expect(
      modal.getByText('There was an issue redirecting to the payment page. Please try again.'),
    ).toBeTruthy();
    fireEvent.click(modal.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    press();
    await waitFor(() => expect(asked).toHaveLength(2));
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    first.unmount();

    open();
    await screen.findByRole('form', { name: 'Payment form' });
    expect(field('Full Name').value).toBe(' Chiamaka Okonkwo ');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(2));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(currentOrders()).toHaveLength(1);
  });

  it('lets go of the page when Back shows it in the middle of sending', async () => {
    addToCart(watch);
    initialize(paid);
    open();
    await fill();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    expect(screen.queryByText('Taking you to the payment page')).toBeNull();
    expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', false);
  });

  it('stays where the shopper has gone meanwhile, and keeps the order for My orders', async () => {
    addToCart(watch);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post('*/v1/transaction/initialize', async () => {
        await answered;
        return paid();
      }),
    );
    const { router } = open();
    await fill();
    press();
    await screen.findByText('Taking you to the payment page');
    await act(() => router.navigate('/cart-contents/multiple-order'));
    answer();
    await waitFor(() => expect(currentOrders()).toMatchObject([{ key: KEY, stage: 'placed' }]));
    expect(assign).not.toHaveBeenCalled();
  });

  it('shows a changed total and asks again for it, as a new order', async () => {
    addToCart(watch);
    initialize(refuse(400, { code: 'amount_changed', amount: 33_000 }), paid);
    open();
    await fill();
    press();
    expect((await screen.findByRole('alert')).textContent).toContain('₦33,000');
    expect(field('Amount').value).toBe('₦33,000');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[1]?.body).toMatchObject({ amount: 33_000 });
    expect(asked[1]?.key).not.toBe(asked[0]?.key);
  });

  it('shows the price that has changed the total', async () => {
    addToCart(watch);
    initialize(refuse(400, { code: 'amount_changed', amount: 33_000 }));
    open();
    await fill();
    goods = [{ ...watch, price: 33_000 }];
    press();
    const order = within(screen.getByRole('complementary', { name: 'Your order' }));
    await waitFor(() => expect(order.getByText(/^1 × /).textContent).toBe('1 × ₦33,000'));
  });

  it('applies the total that the market named to those goods alone', async () => {
    addToCart(watch);
    initialize(refuse(400, { code: 'amount_changed', amount: 33_000 }));
    open();
    await fill();
    press();
    await waitFor(() => expect(field('Amount').value).toBe('₦33,000'));
    act(() => void addToCart(soap));
    expect(field('Amount').value).toBe('₦35,050');
  });

  it('names the goods that are gone, with a way back to the cart', async () => {
    addToCart(watch);
    initialize(
      refuse(409, {
        code: 'goods_gone',
        gone: [{ product_id: 'p1', prod_name: 'Field watch, olive strap' }],
      }),
    );
    const { container } = open();
    await fill();
    press();
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('Field watch, olive strap');
    expect(within(notice).getByRole('link').getAttribute('href')).toBe(
      '/cart-contents/multiple-order',
    );
    await expectAccessible(container);
  });

  it.each([
    [1, /^No longer available: Old radio\. Remove it from the cart to continue with the rest\.$/],
    [2, /^No longer available: .*, .*\. Remove them from the cart to continue with the rest\.$/],
  ])('says how to go on when %i of three are gone', async (count, words) => {
    goods = [watch];
    for (const product of [watch, soap, aProduct({ product_id: 'p3' })].slice(0, 1 + count))
      addToCart(product);
    open();
    expect(within(await screen.findByRole('alert')).getByText(words)).toBeTruthy();
  });

  it('gets a new key when the server has the old one for another order', async () => {
    addToCart(watch);
    initialize(refuse(422, {}), paid);
    open();
    await fill();
    press();
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[1]?.key).not.toBe(asked[0]?.key);
  });

  it.each([
    ['removed', () => void removeFromCart('p2')],
    ['paid', () => removeBought()],
  ])('has nothing to sell once another tab has %s what it shows', async (_, elsewhere) => {
    chooseSingle(soap);
    setQuantity('p2', 's2', 3);
    open();
    await waitFor(() => expect(field('Amount').value).toBe('₦12,000'));
    act(elsewhere);
    expect(await screen.findByRole('heading', { name: 'Oops!!! Cart is empty' })).toBeTruthy();
  });

  it('sells what is left when another tab has removed one product', async () => {
    addToCart(watch);
    addToCart(soap);
    initialize(paid);
    open();
    await fill();
    act(() => void removeFromCart('p1'));
    expect(field('Amount').value).toBe('₦4,800');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[0]?.body).toMatchObject({ buyerItems: [{ product_id: 'p2', quantity: 1 }] });
  });

  it.each([
    ['the cart', () => void addToCart(watch)],
    ['the product last chosen', () => changeKept(() => ({ singleProductId: 'p1' }))],
  ])('says which price has changed of %s while it was filled in', async (_, choose) => {
    choose();
    initialize(paid);
    const { container } = open();
    await fill();
    await waitFor(() => expect(field('Amount').value).toBe('₦31,050'));
    await readEverythingAgain();
    expect(screen.queryByRole('alert')).toBeNull();
    goods = [{ ...watch, price: 45_000 }];
    await readEverythingAgain();
    const notice = screen.getByRole('alert');
    expect(notice.textContent).toContain('The total has changed');
    expect(notice.textContent).toContain('₦45,000');
    const order = within(screen.getByRole('complementary', { name: 'Your order' }));
    expect(order.getByText(/^It was /).textContent).toBe('It was ₦31,050.');
    await expectAccessible(container);
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(asked[0]?.body).toMatchObject({ amount: 45_000 });

    goods = [watch];
    await readEverythingAgain();
    expect(field('Amount').value).toBe('₦31,050');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that a price has changed since the product was put into the cart', async () => {
    addToCart(watch);
    goods = [{ ...watch, price: 40_000 }];
    open();
    await waitFor(() => expect(field('Amount').value).toBe('₦40,000'));
    expect(screen.getByRole('alert').textContent).toContain('₦40,000');
  });

  it.each([
    ['has left the cart', () => {}],
    ['is in the cart at its new price', () => void addToCart({ ...watch, price: 40_000 })],
  ])('says that a price has changed since the order, whose product %s', async (_, before) => {
    before();
    goods = [{ ...watch, price: 40_000 }];
    const [line, ...lines] = anOrder().lines;
    if (line === undefined || lines.length === 0) throw new Error('it has two lines');
    const order = anOrder({ lines: [{ ...line, quantity: 1, price: 31_050 }] });
    renderAt('/orders', [
      { path: pagePaths.paymentForm, element: <PaymentForm /> },
      { path: '/orders', element: <PayAgain order={order}>Pay</PayAgain> },
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Pay' }));
    await screen.findByRole('form', { name: 'Payment form' });
    await waitFor(() => expect(field('Amount').value).toBe('₦40,000'));
    expect(screen.getByRole('alert').textContent).toContain('The total has changed');
    expect(screen.getByText(/^It was /).textContent).toBe('It was ₦31,050.');
  });

  it('says that too few are left, in the words of the market, and that nothing was charged', async () => {
    addToCart(watch);
    initialize(
      refuse(409, {
        code: 'sold_out',
        message: 'Someone else is paying for the last: Field watch.',
        gone: [{ product_id: 'p1', prod_name: 'Field watch', left: 0 }],
      }),
    );
    const { container } = open();
    await fill();
    press();
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('Someone else is paying for the last: Field watch.');
    expect(notice.textContent).toContain('You have not been charged.');
    expect(within(notice).getByRole('link', { name: 'Back to the cart' })).toBeTruthy();
    await expectAccessible(container);
  });

  it('says before anything is typed that the last one is sold', async () => {
    addToCart(watch);
    goods = [{ ...watch, stock: 0 }];
    open();
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('Sold out: Field watch, olive strap.');
  });
});
