import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { anOrder } from '../../../test/orders.js';
import {
  field,
  fill,
  open,
  paid,
  press,
  refuse,
  setUpPaying,
  soap,
  watch,
} from '../../../test/paying.js';
import { aProduct } from '../../../test/products.js';
import { readEverythingAgain, renderAt } from '../../../test/render.js';
import { addToCart, removeFromCart, startSingleOrder } from '../../stores/cart.js';
import { removeBought, setQuantity } from '../../stores/cart-checkout.js';
import { changeAuthStorage } from '../../stores/persistent-store.js';
import { PayAgain } from './OrderOutcome.js';
import PaymentForm from './PaymentFormPage.js';

const { market, assign, initialize } = setUpPaying();

describe('the payment form, when goods have changed since', () => {
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
    expect(market.asked[1]?.body).toMatchObject({ amount: 33_000 });
    expect(market.asked[1]?.key).not.toBe(market.asked[0]?.key);
  });

  it('shows the price that has changed the total', async () => {
    addToCart(watch);
    initialize(refuse(400, { code: 'amount_changed', amount: 33_000 }));
    open();
    await fill();
    market.goods = [{ ...watch, price: 33_000 }];
    press();
    const order = within(screen.getByRole('complementary', { name: 'Your order' }));
    await waitFor(() => expect(order.getByText(/^1 ×/).textContent).toBe('1 × ₦33,000'));
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
    market.goods = [watch];
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
    expect(market.asked[1]?.key).not.toBe(market.asked[0]?.key);
  });

  it.each([
    ['removed', () => void removeFromCart('p2')],
    ['paid', () => removeBought()],
  ])('has nothing to sell once another tab has %s what it shows', async (_, elsewhere) => {
    startSingleOrder(soap);
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
    expect(market.asked[0]?.body).toMatchObject({
      buyerItems: [{ product_id: 'p2', quantity: 1 }],
    });
  });

  it.each([
    ['the cart', () => void addToCart(watch)],
    ['the product last chosen', () => changeAuthStorage(() => ({ singleProductId: 'p1' }))],
  ])('says which price has changed of %s while it was filled in', async (_, choose) => {
    choose();
    initialize(paid);
    const { container } = open();
    await fill();
    await waitFor(() => expect(field('Amount').value).toBe('₦31,050'));
    await readEverythingAgain();
    expect(screen.queryByRole('alert')).toBeNull();
    market.goods = [{ ...watch, price: 45_000 }];
    await readEverythingAgain();
    const notice = screen.getByRole('alert');
    expect(notice.textContent).toContain('The total has changed');
    expect(notice.textContent).toContain('₦45,000');
    const order = within(screen.getByRole('complementary', { name: 'Your order' }));
    expect(order.getByText(/^It was /).textContent).toBe('It was ₦31,050.');
    await expectAccessible(container);
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(market.asked[0]?.body).toMatchObject({ amount: 45_000 });

    market.goods = [watch];
    await readEverythingAgain();
    expect(field('Amount').value).toBe('₦31,050');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that a price has changed since the product was put into the cart', async () => {
    addToCart(watch);
    market.goods = [{ ...watch, price: 40_000 }];
    open();
    await waitFor(() => expect(field('Amount').value).toBe('₦40,000'));
    expect(screen.getByRole('alert').textContent).toContain('₦40,000');
  });

  it.each([
    ['has left the cart', () => {}],
    ['is in the cart at its new price', () => void addToCart({ ...watch, price: 40_000 })],
  ])('says that a price has changed since the order, whose product %s', async (_, before) => {
    before();
    market.goods = [{ ...watch, price: 40_000 }];
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
    market.goods = [{ ...watch, stock: 0 }];
    open();
    const notice = await screen.findByRole('alert');
    expect(notice.textContent).toContain('Sold out: Field watch, olive strap.');
  });
});
