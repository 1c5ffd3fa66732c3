import { pagePaths } from '@oja/contracts/pages';
import { ORDERS_STORAGE } from '@oja/contracts/wire';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { setUpMyOrders, unpaid } from '../../../test/my-orders.js';
import { anOrder } from '../../../test/orders.js';
import { aProduct } from '../../../test/products.js';
import { readEverythingAgain, renderAt } from '../../../test/render.js';
import type { Order } from '../../api/types.js';
import { addToCart } from '../../stores/cart.js';
import { currentOrders, removeOrder, saveOrder, setDeliveryStatus } from '../../stores/orders.js';
import { followOtherTabs, useAuthStorage } from '../../stores/persistent-store.js';
import { loadBuyer, saveBuyer } from '../checkout/draft.js';
import MyOrders, { toBuyerOrderState } from './MyOrdersPage.js';
import Receipt from './ReceiptPage.js';

const HOUR_MS = 3_600_000;
const { server, orders, placed } = setUpMyOrders();

const share = (status: Order['shares'][number]['status']) => ({
  shares: anOrder().shares.map((one) => ({ ...one, status })),
});

const routes = [
  { path: pagePaths.myOrders, element: <MyOrders /> },
  { path: pagePaths.receipt, element: <Receipt /> },
];
const open = (address: string = pagePaths.myOrders) => renderAt(address, routes);
/** The card of an order, once it has loaded and shows these words. */
async function card(key: string, words: string | RegExp) {
  const item = () => {
    const found = screen.getByRole('heading', { name: new RegExp(key.slice(0, 8)) }).closest('li');
    if (found === null) throw new Error('it is in no list');
    if (found.querySelector('[aria-busy]') !== null) throw new Error('it is on its way');
    return within(found);
  };
  await waitFor(() => expect(item().getByText(words)).toBeTruthy());
  return item();
}

describe('my orders', () => {
  it('are those of this browser, newest first, with goods and total', async () => {
    const older = placed({ amount: 9_000 });
    const newest = placed();
    const { container } = open();
    const first = await card(newest, 'Paid');
    expect(first.getByText(/2 × .*from Adunni Textiles/)).toBeTruthy();
    expect(first.getByText('Total').parentElement?.textContent).toBe('Total₦39,100');
    // A browser that is not told fetches pictures for the width of the window.
    const sizes = [...container.querySelectorAll('img')].map((one) => one.sizes);
    expect(new Set(sizes)).toEqual(new Set(['52px']));
    const total = (await card(older, 'Paid')).getByText('Total').parentElement;
    expect(total?.textContent).toBe('Total₦9,000');
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Order 00000102',
      'Order 00000101',
    ]);
    await expectAccessible(container);
  });

  it.each<readonly [string, Partial<Order>, string, readonly string[]]>([
    ['waits for its payment', unpaid(1), 'Waiting for payment', ['Pay']],
    ['was not paid in time', unpaid(73), 'Expired', ['Order again']],
    ['expired', { ...unpaid(1), status: 'expired' }, 'Expired', ['Order again']],
    ['was paid too late', { ...unpaid(1), payment_returned: true }, 'Payment returned', []],
    ['is on its way', {}, 'Paid', ['Confirm delivery', 'Receipt']],
    [
      'came',
      { recieved: 'DELIVERED', delivered_at: '2026-11-23T09:05:00.000Z', ...share('released') },
      'Delivered',
      ['Receipt', 'Say how it was'],
    ],
    [
      'was settled without a Yes',
      { recieved: 'DELIVERED', ...share('released') },
      'Settled',
      ['Receipt', 'Say how it was'],
    ],
    ['is looked into', { recieved: 'DISPUTED', ...share('disputed') }, 'In dispute', ['Receipt']],
    ['was given back', { recieved: 'REFUNDED', ...share('refunded') }, 'Refunded', ['Receipt']],
    [
      'the bank took back after a payout',
      { status: 'reversed', recieved: 'DELIVERED', ...share('paid-out') },
      'Refunded',
      ['Receipt'],
    ],
  ])('say of one that %s what it is and what can be done', async (_, change, words, acts) => {
    const key = placed(change);
    open();
    const one = await card(key, words);
    const names = [...one.queryAllByRole('button'), ...one.queryAllByRole('link')].map(
      (act) => act.textContent?.split(',')[0],
    );
    expect(names.toSorted()).toEqual([...acts, 'Forget on this device'].toSorted());
  });

  it('say what is held of one, and what was settled already', async () => {
    const [first, ...others] = anOrder().shares;
    if (first === undefined) throw new Error('it has two sellers');
    const key = placed({ shares: [{ ...first, status: 'refunded' }, ...others] });
    open();
    const told =
      'What the goods of Adunni Textiles cost goes back to you. Oja holds the rest until you confirm that it has arrived.';
    expect((await card(key, 'Paid')).getByText(told)).toBeTruthy();
  });

  it('say of one that was paid twice that the other payment goes back', async () => {
    const key = placed({ payment_returned: true });
    const plain = placed();
    open();
    const told = /^You paid for this order more than once\. The other payment goes back/;
    expect((await card(key, 'Paid')).getByText(told)).toBeTruthy();
    expect((await card(plain, 'Paid')).queryByText(told)).toBeNull();
  });

  it('lead to the question of this very order', async () => {
    const key = placed();
    open();
    const link = (await card(key, 'Paid')).getByRole('link', { name: /^Confirm delivery/ });
    expect(link.getAttribute('href')).toBe(`/payment/verify/delivery-confirmation#${key}`);
  });

  it('take a problem from two days after the payment, and say from when before', async () => {
    const early = placed();
    const late = placed({ may_report_problem: true });
    open();
    expect((await card(early, 'Paid')).getByText(/You can report a problem from/)).toBeTruthy();
    // There may be as many of these buttons as orders.
    const name = /^Report a problem ?, order 00000102$/;
    fireEvent.click((await card(late, 'Paid')).getByRole('button', { name }));
    expect(screen.getByRole('dialog', { name: 'Report a problem' })).toBeTruthy();
  });

  it('bring the goods of an unpaid one back into the cart, and no second time', async () => {
    const key = placed(unpaid(1), 'placed');
    const { router } = open();
    fireEvent.click((await card(key, /^Waiting/)).getByRole('button', { name: /^Pay/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/payment-form'));
    const cart = () =>
      useAuthStorage.getState().itemsAddedToCart.map((line) => [line.product_id, line.quantity]);
    expect(cart()).toEqual([
      ['p1', 2],
      ['p2', 1],
    ]);
    await act(() => router.navigate(pagePaths.myOrders));
    fireEvent.click((await card(key, /^Waiting/)).getByRole('button', { name: /^Pay/ }));
    expect(cart()).toHaveLength(2);
  });

  it('take the goods of one that turns out to be paid out of the cart, and nothing else', async () => {
    for (const product_id of ['p1', 'other', 'p2']) addToCart(aProduct({ product_id }));
    saveBuyer({ full_name: 'Ngozi Obi' });
    const key = placed({}, 'placed');
    open();
    await card(key, 'Paid');
    const cart = () =>
      useAuthStorage.getState().itemsAddedToCart.map(({ product_id }) => product_id);
    await waitFor(() => expect(cart()).toEqual(['other']));
    expect(loadBuyer()).toEqual({});
    // Bought again: the order of before is done with.
    act(() => void addToCart(aProduct({ product_id: 'p1' })));
    await readEverythingAgain();
    expect(cart()).toEqual(['other', 'p1']);
  });

  it('leave the goods of one whose payment went back in the cart, for a new order', async () => {
    addToCart(aProduct({ product_id: 'p1' }));
    const key = placed({ ...unpaid(1), payment_returned: true }, 'placed');
    open();
    await card(key, /nothing was ordered/);
    await waitFor(() => expect(currentOrders()).toMatchObject([{ key, stage: 'closed' }]));
    expect(useAuthStorage.getState().itemsAddedToCart).toHaveLength(1);
  });

  it('are forgotten here after one question, by number, and the bell with them', async () => {
    const key = placed();
    setDeliveryStatus('Pending');
    const { container } = open();
    fireEvent.click((await card(key, 'Paid')).getByRole('button', { name: /^Forget/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Forget order 00000101?' }));
    await expectAccessible(container);
    fireEvent.click(dialog.getByRole('button', { name: 'Keep it' }));
    expect(currentOrders()).toHaveLength(1);
    const forget = (await card(key, 'Paid')).getByRole('button', { name: /^Forget/ });
    forget.focus();
    fireEvent.click(forget);
    fireEvent.click(screen.getByRole('button', { name: 'Forget it' }));
    expect(currentOrders()).toEqual([]);
    expect(localStorage.getItem(ORDERS_STORAGE)).not.toContain(key);
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
    expect(screen.getByRole('heading', { name: 'Nothing was ordered here yet' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('say which one the market does not know, and take it off the list', async () => {
    const key = placed();
    orders.clear();
    const { container } = open();
    const gone = await card(key, /does not know this order any more/);
    await expectAccessible(container);
    const off = gone.getByRole('button', { name: /^Take it off the list ?, order 0/ });
    off.focus();
    fireEvent.click(off);
    expect(currentOrders()).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('keep number, date and stage while they cannot be read, and are asked after again', async () => {
    expectErrors(/Not now/);
    const key = placed({}, 'placed');
    server.use(
      http.get('*/v1/orders/:key', () =>
        HttpResponse.json({ message: 'Not now' }, { status: 403 }),
      ),
    );
    open();
    const one = await card(key, 'Not now');
    expect(one.getByText('Ordered')).toBeTruthy();
    server.resetHandlers(
      http.get('*/v1/orders/:key', () =>
        HttpResponse.json({ success: true, order: orders.get(key) }),
      ),
    );
    const again = one.getByRole('button', { name: /^Try again ?, order 0/ });
    again.focus();
    fireEvent.click(again);
    await card(key, 'Paid');
    expect(document.activeElement).toBe(one.getByRole('heading', { level: 2 }));
    expect(currentOrders()[0]?.stage).toBe('paid');
  });

  it('are ten at first, and more when asked for', async () => {
    for (let n = 0; n < 12; n += 1) placed();
    open();
    expect(screen.getAllByRole('listitem')).not.toHaveLength(0);
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(10);
    const older = screen.getByRole('button', { name: 'Older orders' });
    older.focus();
    fireEvent.click(older);
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(12);
    expect(screen.queryByRole('button', { name: 'Older orders' })).toBeNull();
    const eleventh = screen.getAllByRole('heading', { level: 2 })[10]?.closest('li');
    await waitFor(() => expect(document.activeElement).toBe(eleventh));
  });

  it('are as many as were asked for when somebody comes back from a receipt, or loads the page again', async () => {
    const keys = Array.from({ length: 12 }, () => placed());
    const { router } = open();
    fireEvent.click(screen.getByRole('button', { name: 'Older orders' }));
    const oldest = await card(keys[0] ?? '', 'Paid');
    fireEvent.click(oldest.getByRole('link', { name: /^Receipt/ }));
    await screen.findByRole('table');
    await act(() => router.navigate(-1));
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(12);
    const { location } = router.state;
    cleanup();
    renderAt(location, routes);
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(12);
  });

  it('take over what another tab has ordered, whatever storage holds', async () => {
    onTestFinished(followOtherTabs());
    const { container } = open();
    await screen.findByRole('heading', { name: 'Nothing was ordered here yet' });
    const key = placed();
    const written = localStorage.getItem(ORDERS_STORAGE) ?? '';
    removeOrder(key);
    await act(async () => {
      localStorage.setItem(ORDERS_STORAGE, written.replace('"orders":[', '"orders":[7,{},'));
      dispatchEvent(new StorageEvent('storage', { key: ORDERS_STORAGE }));
    });
    await card(key, 'Paid');
    await act(async () => {
      localStorage.setItem(ORDERS_STORAGE, '{spoiled');
      dispatchEvent(new StorageEvent('storage', { key: ORDERS_STORAGE }));
    });
    expect(container.querySelector('main')).not.toBeNull();
  });
});

describe('an order that was changed and ordered again', () => {
  /** Submits p1 and p2 without paying, as after Back from the payment page, or as another tab does. */
  const submitted = (hours: number, goods = ['p1', 'p2']) => placed(unpaid(hours), 'placed', goods);
  /** The market hears of the payment. */
  const pay = (key: string) => orders.set(key, anOrder({ transactionId: key }));
  const actsOf = (one: Awaited<ReturnType<typeof card>>) =>
    one.queryAllByRole('button').map((act) => act.textContent?.split(',')[0]);

  it('leads to the later one as long as none is paid, and only that one can be paid', async () => {
    const first = submitted(3, ['p1']);
    const second = submitted(2);
    const third = submitted(1, ['p2', 'p1']);
    const { container } = open();
    expect(actsOf(await card(third, 'Waiting for payment'))).toContain('Pay');
    for (const key of [first, second]) {
      const one = await card(key, 'Replaced');
      expect(
        one.getByText(/^You ordered this again, as order 00000103: pay that one\./),
      ).toBeTruthy();
      expect(actsOf(one)).toEqual(['Forget on this device']);
    }
    await expectAccessible(container);
    // Without the later one, this is the one to pay.
    act(() => removeOrder(third));
    expect(actsOf(await card(second, 'Waiting for payment'))).toContain('Pay');
  });

  it.each<readonly [string, 0 | 1]>([
    ['later', 1],
    ['first', 0],
  ])('says so and offers no payment once the %s one is paid', async (_, which) => {
    const keys = [submitted(2), submitted(1)];
    const [paidKey = '', otherKey = ''] = [keys[which], keys[1 - which]];
    pay(paidKey);
    open();
    await card(paidKey, 'Paid');
    const other = await card(otherKey, 'Replaced');
    const number = paidKey.slice(0, 8);
    expect(other.getByText(new RegExp(`^You paid order ${number} in its place`))).toBeTruthy();
    expect(actsOf(other)).toEqual(['Forget on this device']);
    // It stays so after the paid one was taken off the list, and after the time to pay is over.
    act(() => removeOrder(paidKey));
    orders.set(otherKey, anOrder({ ...unpaid(73), transactionId: otherKey, status: 'expired' }));
    await readEverythingAgain();
    expect(actsOf(await card(otherKey, 'Replaced'))).toEqual(['Forget on this device']);
    expect(localStorage.getItem(ORDERS_STORAGE)).not.toContain(paidKey);
  });

  it('tells of both when both were paid', async () => {
    const [first, later] = [submitted(2), submitted(1)];
    pay(later);
    open();
    await card(first, 'Replaced');
    pay(first);
    await readEverythingAgain();
    const one = await card(first, 'Paid');
    expect(
      one.getByText(/The same goods are in order 00000102, which you have paid too/),
    ).toBeTruthy();
    expect((await card(later, 'Paid')).queryByText(/The same goods/)).toBeNull();
  });

  it('can be paid if the payment of the later one went back', async () => {
    const [first, later] = [submitted(2), submitted(1)];
    orders.set(later, anOrder({ ...unpaid(1), transactionId: later, payment_returned: true }));
    open();
    await card(later, 'Payment returned');
    expect(actsOf(await card(first, 'Waiting for payment'))).toContain('Pay');
  });

  it('is another purchase if it has other goods, or was made after the payment', async () => {
    const other = submitted(3, ['p3']);
    const bought = placed({}, 'paid', ['p1', 'p2']);
    const next = submitted(1);
    open();
    await card(bought, 'Paid');
    for (const key of [other, next])
      expect(actsOf(await card(key, 'Waiting for payment'))).toContain('Pay');
  });
});

describe('an order', () => {
  const placedAt = '2026-11-21T09:00:00.000Z';
  const order = anOrder({ ...unpaid(0), created_at: placedAt });
  const end = Date.parse('2026-11-24T09:00:00.000Z');

  it('expires three days after it was placed', () => {
    expect(toBuyerOrderState(order, placedAt, end - 1)).toBe('unpaid');
    expect(toBuyerOrderState(order, placedAt, end)).toBe('expired');
    expect(toBuyerOrderState({ ...order, paid_at: order.created_at }, placedAt, end)).toBe('asked');
  });

  it('waits for its payment also on a phone whose clock is days ahead', async () => {
    const key = '00000300-55ff-5003-b2be-e166dd5e1668.nGE_pNcrqFN0pQUszHEvPA';
    orders.set(key, anOrder({ ...unpaid(0), transactionId: key }));
    vi.setSystemTime(Date.now() + 100 * HOUR_MS);
    onTestFinished(() => {
      vi.useRealTimers();
    });
    saveOrder(key, 'placed');
    open();
    await card(key, 'Waiting for payment');
    orders.set(key, anOrder({ ...unpaid(0), transactionId: key, status: 'expired' }));
    await readEverythingAgain();
    await card(key, 'Expired');
  });

  it('goes by the clock of the market where this browser does not know when it was placed', () => {
    expect(toBuyerOrderState(order, '', end - 1)).toBe('unpaid');
    expect(toBuyerOrderState(order, '', end)).toBe('expired');
  });
});
