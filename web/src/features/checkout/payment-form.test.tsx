import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import {
  field,
  fill,
  ORDER_KEY,
  open,
  paid,
  press,
  refuse,
  setUpPaying,
  soap,
  type,
  watch,
} from '../../../test/paying.js';
import { setAccessToken } from '../../api/client.js';
import { addToCart, removeFromCart } from '../../stores/cart.js';
import { setQuantity } from '../../stores/cart-checkout.js';
import { currentOrders } from '../../stores/orders.js';
import { changeAuthStorage } from '../../stores/persistent-store.js';

const { market, server, assign, initialize } = setUpPaying();

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
    expect(market.asked[0]?.body).toEqual({
      full_name: 'Chiamaka Okonkwo',
      email: 'chiamaka@example.com',
      home_address: '14 Bode Thomas St, Surulere',
      phone_number: '0803 412 7765',
      amount: 62_100,
      buyerItems: [{ product_id: 'p1', user_id: 's1', quantity: 2 }],
    });
    expect(screen.getByText('Taking you to the payment page')).toBeTruthy();
    expect(currentOrders()).toMatchObject([{ key: ORDER_KEY, stage: 'placed', goods: ['p1'] }]);
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
    expect(market.asked[0]?.body).toMatchObject({
      email: 'chiamaka@example.com',
      phone_number: '0803 412 7765',
    });
  });

  it('asks for the single product that was chosen when the cart is empty', async () => {
    addToCart(soap);
    removeFromCart('p2');
    changeAuthStorage(() => ({ singleProductId: 'p2' }));
    initialize(paid);
    open();
    await fill();
    expect(field('Amount').value).toBe('₦4,800');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(market.asked[0]?.body).toMatchObject({
      amount: 4_800,
      buyerItems: [{ product_id: 'p2', user_id: 's2', quantity: 1 }],
    });
  });

  it('goes on at the heading when its product is asked for again', async () => {
    expectErrors(/That did not work/);
    changeAuthStorage(() => ({ singleProductId: 'p2' }));
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
    expect(market.asked).toEqual([]);
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
    expect(market.asked).toEqual([]);
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
    expect(new Set(market.asked.map(({ key }) => key)).size).toBe(1);
  });

  it('makes one order of a double press', async () => {
    addToCart(watch);
    initialize(paid);
    open();
    await fill();
    press();
    press();
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(market.asked).toHaveLength(1);
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
    await waitFor(() => expect(market.asked).toHaveLength(2));
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    first.unmount();

    open();
    await screen.findByRole('form', { name: 'Payment form' });
    expect(field('Full Name').value).toBe(' Chiamaka Okonkwo ');
    press();
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(2));
    expect(new Set(market.asked.map(({ key }) => key)).size).toBe(1);
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
    await waitFor(() =>
      expect(currentOrders()).toMatchObject([{ key: ORDER_KEY, stage: 'placed' }]),
    );
    expect(assign).not.toHaveBeenCalled();
  });
});
