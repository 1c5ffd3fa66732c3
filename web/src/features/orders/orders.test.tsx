import { pagePath, pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import type { Payout, Sale } from '../../api/types.js';
import { signIn, signOut } from '../../stores/session.js';
import { toCsv } from '../../ui/CsvButton.js';
import OrderPage from './OrderPage.js';
import Orders, { toCsvRows } from './OrdersPage.js';
import Sales, { toPayoutRows } from './SalesPage.js';

type Item = Sale['items'][number];
const anItem = (change: Partial<Item> = {}): Item => ({
  product_id: 'p1',
  prod_name: 'Field watch',
  image_url: 'http://localhost/v1/image/watch.webp',
  quantity: 1,
  ...change,
});
const aSale = (change: Partial<Sale> = {}): Sale => ({
  transaction_id: '10aad119-55ff-5003-b2be-e166dd5e1668',
  number: '10AAD119',
  paid_at: '2026-11-21T09:05:00.000Z',
  status: 'held',
  share: 20_000,
  items: [anItem()],
  ...change,
});
const aPayout = (change: Partial<Payout> = {}): Payout => ({
  payout_id: '10aad119-55ff-5003-b2be-e166dd5e1668_0_0',
  account: { ends_in: '0789', bank_name: 'Zenith Bank' },
  transaction_id: '10aad119-55ff-5003-b2be-e166dd5e1668',
  number: '10AAD119',
  amount: 20_000,
  method: 'transfer',
  status: 'sent',
  reason: null,
  owed: false,
  requested_at: '2026-11-22T09:05:00.000Z',
  ended_at: '2026-11-22T09:06:00.000Z',
  ...change,
});
/** A list of two pages; the second has the cursor 'c1'. */
const inTwo = <T,>(newer: T, older: T) => ({
  c1: { result: [older], nextCursor: null },
  start: { result: [newer], nextCursor: 'c1' },
});
const counts = { held: 2, released: 0, 'paid-out': 0, disputed: 0, refunded: 0 };
const older = { transaction_id: '20bbe220-55ff-5003-b2be-e166dd5e1668', number: '20BBE220' };

const server = setupServer();
/** The queries of the requests for orders and payouts. */
const asked: Record<string, string>[] = [];
/** The files that were saved. */
const files: Blob[] = [];

function answerInPages<T>(path: string, pages: ReturnType<typeof inTwo<T>>, rest: object): void {
  server.use(
    http.get(path, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const page = query.cursor === undefined ? pages.start : pages.c1;
      return HttpResponse.json({ success: true, ...rest, ...page });
    }),
  );
}

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  asked.length = 0;
  files.length = 0;
  signIn(aSeller(), 'token');
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return '#file';
  });
  server.use(
    http.get('*/v1/image/*', () => new HttpResponse()),
    http.get('*/v1/settings', () => HttpResponse.json({ pushPublicKey: null })),
    http.get('*/v1/user/payout-account', () => HttpResponse.json({ success: true, account: null })),
  );
  const sales = inTwo(aSale(), aSale({ ...older, share: 1_500.5 }));
  answerInPages('*/v1/user/orders', sales, { counts, total: 2, to_hand_over: 2 });
  const paid_out = { month: 21_500.5, year: 21_500.5, all: 21_500.5 };
  const payouts = inTwo(aPayout(), aPayout({ ...older, payout_id: 'older', amount: 1_500.5 }));
  answerInPages('*/v1/user/payouts', payouts, { paid_out });
});
afterEach(() => {
  signOut();
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const routes = [
  { path: pagePaths.orders, element: <Orders /> },
  { path: pagePaths.sales, element: <Sales /> },
];
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
/** The page size that the CSV export requests. */
const MOST = String(limits.page.max);
const PAYOUTS = `${pagePaths.sales}?view=payouts`;

/** The sum of a table column; text counts 0. */
const sumOf = (rows: readonly (readonly (string | number)[])[], column: number) =>
  rows.reduce((sum, row) => sum + Number(row[column] || 0), 0);
/** The lines of the saved file, without its header. */
async function fileLines(): Promise<readonly string[]> {
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = (await files[0]?.text())?.trim().split('\r\n') ?? [];
  return lines.slice(1);
}

describe('the file of orders', () => {
  const rows = toCsvRows([
    aSale({ items: [anItem({ quantity: 2 }), anItem({ prod_name: '=1+1', quantity: 3 })] }),
    aSale({ ...older, status: 'paid-out', share: 1_500.5 }),
  ]);

  it('has a row a product, and what the seller gets once an order, so that it adds up', () => {
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['21-11-2026 10:05', 'Paid', 'Field watch', 2, 20_000],
      ['21-11-2026 10:05', 'Paid', '=1+1', 3, ''],
      ['21-11-2026 10:05', 'Paid out', 'Field watch', 1, 1_500.5],
    ]);
    expect([sumOf(rows, 4), sumOf(rows, 5)]).toEqual([6, 21_500.5]);
    expect(toCsv([], rows)).toContain("'=1+1");
  });

  it('has nothing for an order that was refunded, as Sales has not', () => {
    expect(sumOf(toCsvRows([aSale(), aSale({ ...older, status: 'refunded' })]), 5)).toBe(20_000);
  });

  it('holds every page of what is looked for, not only those on the screen', async () => {
    renderAt(`${pagePaths.orders}?find=watch&status=held`, routes);
    await press('CSV');
    expect(await fileLines()).toEqual([
      '10AA D119,21-11-2026 10:05,Paid,Field watch,1,20000',
      '20BB E220,21-11-2026 10:05,Paid,Field watch,1,1500.5',
    ]);
    const all = { find: 'watch', status: 'held', limit: MOST };
    expect(asked.slice(1)).toEqual([all, { ...all, cursor: 'c1' }]);
  });
});

describe('the file of payouts', () => {
  const rows = toPayoutRows([
    aPayout(),
    aPayout({ ...older, amount: 1_500.5 }),
    aPayout({ status: 'on-its-way', ended_at: null, account: null }),
    aPayout({ status: 'failed', reason: 'bank', owed: true }),
    aPayout({ status: 'came-back', reason: 'taken-back' }),
  ]);

  it('adds up to what was sent, and says of the rest why it was not', () => {
    expect(sumOf(rows, 7)).toBe(21_500.5);
    expect(rows.map((row) => row.slice(3, 5))).toEqual([
      ['Sent', ''],
      ['Sent', ''],
      ['On its way', ''],
      ['Failed', 'Your bank refused it. Check your bank details: Oja will pay again.'],
      ['Came back', "The buyer's bank took the payment back, so it is not paid again."],
    ]);
  });

  it.each<[string, Partial<Payout>, string]>([
    ['refused', { status: 'failed', reason: 'bank' }, 'Your bank refused it.'],
    ['sent back', { status: 'came-back', reason: 'bank' }, 'Your bank sent it back.'],
    ['stopped', { status: 'failed', reason: 'stopped' }, 'Oja stopped it before it arrived.'],
  ])('promises no payment where none is owed any more: %s', (_, change, words) => {
    expect(toPayoutRows([aPayout(change)])[0]?.[4]).toBe(words);
    const [again] = toPayoutRows([aPayout({ ...change, owed: true })]);
    expect(again?.[4]).toMatch(/will pay again\.$/);
  });

  it('says where to without the whole number, and when in Lagos time', () => {
    expect(rows[0]?.slice(1, 3)).toEqual(['22-11-2026 10:05', '22-11-2026 10:06']);
    expect(rows.map((row) => row[5])).toContain('Zenith Bank, ends in 0789');
    expect([rows[2]?.[2], rows[2]?.[5]]).toEqual(['', '']);
  });

  it('holds every page', async () => {
    renderAt(PAYOUTS, routes);
    await press('CSV');
    expect((await fileLines()).map((line) => line.split(',').at(-1))).toEqual(['20000', '1500.5']);
    expect(asked.slice(1)).toEqual([{ limit: MOST }, { limit: MOST, cursor: 'c1' }]);
  });
});

it.each([
  ['orders', (number: string) => toCsvRows([aSale({ number })])],
  ['payouts', (number: string) => toPayoutRows([aPayout({ number })])],
])("leaves a spreadsheet nothing to calculate in an order's number: %s", (_, rows) => {
  for (const number of ['00012345', '1234E567']) {
    const cell = String(rows(number)[0]?.[0]);
    expect(Number(cell)).toBeNaN();
    expect(cell.replaceAll(' ', '')).toBe(number);
  }
});

it('says of a refunded order that the seller gets nothing for it, in the list and on its page', async () => {
  const refunded = aSale({ status: 'refunded' });
  answerInPages('*/v1/user/orders', inTwo(refunded, aSale(older)), {
    counts,
    total: 1,
    to_hand_over: 0,
  });
  server.use(
    http.get('*/v1/user/orders/:id', () =>
      HttpResponse.json({ success: true, result: { ...refunded, history: [] } }),
    ),
  );
  const list = renderAt(pagePaths.orders, routes);
  const card = (await screen.findByText('You get, for 1 piece')).closest('p');
  expect(card?.querySelector('b')?.textContent).toBe('₦0');
  list.unmount();
  const page = renderAt(pagePath('order', { transactionId: refunded.transaction_id }), [
    { path: pagePaths.order, element: <OrderPage /> },
  ]);
  expect((await screen.findByText('You get')).nextElementSibling?.textContent).toBe('₦0');
  page.unmount();
});

it('what is looked for can be changed when it could not be read', async () => {
  expectErrors(/too long/);
  server.use(
    http.get('*/v1/user/orders', ({ request }) =>
      new URL(request.url).searchParams.has('find')
        ? HttpResponse.json({ success: false, message: 'too long' }, { status: 400 })
        : undefined,
    ),
  );
  renderAt(`${pagePaths.orders}?find=${'x'.repeat(limits.productName.max + 1)}`, routes);
  await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByText('One moment')).toBeNull();
  expect(screen.getByRole('textbox')).toHaveProperty('maxLength', limits.productName.max);
  await press('Clear search');
  expect(await screen.findByRole('link', { name: /10AAD119/ })).toBeTruthy();
});

it('shows all orders again where none matched, and goes on at the heading', async () => {
  answerInPages('*/v1/user/orders', inTwo(aSale(), aSale(older)), {
    counts,
    total: 0,
    to_hand_over: 2,
  });
  renderAt(`${pagePaths.orders}?find=cup`, routes);
  (await screen.findByRole('button', { name: 'Show all' })).focus();
  await press('Show all');
  await waitFor(() => expect(asked.at(-1)).toEqual({}));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

it('says what is to hand over, whatever is looked for', async () => {
  const none = { result: [], nextCursor: null, total: 0, counts: { ...counts, held: 0 } };
  server.use(
    http.get('*/v1/user/orders', () =>
      HttpResponse.json({ success: true, ...none, to_hand_over: 2 }),
    ),
  );
  renderAt(`${pagePaths.orders}?find=zzz`, routes);
  await screen.findByText('No order matches');
  expect(screen.getByText('2 to hand over').getAttribute('role')).toBe('status');
});

describe('while the next list loads, one that was empty does not stand for it', () => {
  const neverAnswers = (path: string, which: (query: URLSearchParams) => boolean) =>
    server.use(
      http.get(path, async ({ request }) => {
        const query = new URL(request.url).searchParams;
        if (!which(query)) return undefined;
        asked.push(Object.fromEntries(query));
        await delay('infinite');
      }),
    );

  it('in Orders, after a search that found nothing', async () => {
    const none = {
      result: [],
      counts: { ...counts, held: 0 },
      total: 0,
      to_hand_over: 0,
      nextCursor: null,
    };
    server.use(http.get('*/v1/user/orders', () => HttpResponse.json({ success: true, ...none })));
    neverAnswers('*/v1/user/orders', (query) => !query.has('find'));
    renderAt(`${pagePaths.orders}?find=zzz`, routes);
    await press('Show all');
    await waitFor(() => expect(asked).toEqual([{}]));
    expect(screen.queryByText(/No order/)).toBeNull();
    expect(screen.queryByText(/Nothing to hand over/)).toBeNull();
    expect(screen.queryByRole('option', { name: 'All 0' })).toBeNull();
    expect(screen.getByRole('main').querySelector('[aria-busy]')).toBeTruthy();
  });

  it('in Sales, after a period without sales', async () => {
    const result = { sum: 0, orders: 0, steps: [], products: [] };
    server.use(http.get('*/v1/user/sales', () => HttpResponse.json({ success: true, result })));
    neverAnswers('*/v1/user/sales', (query) => query.get('period') === '12-months');
    renderAt(pagePaths.sales, routes);
    await screen.findByText('Nothing sold in this period');
    const period = screen.getByRole('combobox', { name: 'Period' });
    fireEvent.change(period, { target: { value: '12-months' } });
    await waitFor(() => expect(asked).toEqual([{ period: '12-months' }]));
    expect(screen.queryByText('Nothing sold in this period')).toBeNull();
  });
});

describe('the way on below a list', () => {
  it.each([
    ['Older orders', pagePaths.orders],
    ['Older payouts', PAYOUTS],
  ])('%s asks with the cursor and adds what it answers', async (name, address) => {
    renderAt(address, routes);
    await press(name);
    expect(await screen.findByRole('link', { name: /20BBE220/ })).toBeTruthy();
    expect(screen.getByRole('link', { name: /10AAD119/ })).toBeTruthy();
    expect(asked).toEqual([{}, { cursor: 'c1' }]);
    expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it.each([
    ['Older orders', pagePaths.orders, '*/v1/user/orders'],
    ['Older payouts', PAYOUTS, '*/v1/user/payouts'],
  ])('%s says that they did not load, and stays', async (name, address, path) => {
    expectErrors(/That did not work/);
    renderAt(address, routes);
    const button = await screen.findByRole('button', { name });
    server.use(http.get(path, () => HttpResponse.json({}, { status: 400 }), { once: true }));
    fireEvent.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe('Older ones did not load.');
    expect(screen.getByRole('button', { name })).toBe(button);
    fireEvent.click(button);
    await screen.findByRole('link', { name: /20BBE220/ });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('keeps the choice of a period, and the focus in it, where what was sold does not load', async () => {
  expectErrors(/That did not work/);
  const result = { steps: [{ from: '2026-11-21', sum: 0, orders: 0 }], products: [] };
  server.use(
    http.get('*/v1/user/sales', ({ request }) =>
      request.url.includes('12-months')
        ? HttpResponse.json({}, { status: 400 })
        : HttpResponse.json({ success: true, result: { ...result, sum: 0, orders: 0 } }),
    ),
  );
  renderAt(pagePaths.sales, routes);
  await screen.findByText('Nothing sold in this period');
  const period = screen.getByRole('combobox', { name: 'Period' });
  period.focus();
  fireEvent.change(period, { target: { value: '12-months' } });
  await screen.findByText('That did not load');
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Period' }));
  fireEvent.change(period, { target: { value: '7-days' } });
  await screen.findByText('Nothing sold in this period');
});

it('marks in the history of an order a payout that failed, and not one that was stopped', async () => {
  const sale = aSale({ status: 'paid-out' });
  const at = '2026-11-22T09:05:00.000Z';
  const history = ['PayoutFailed', 'PayoutStopped'].map((type) => ({ type, at, text: type }));
  server.use(
    http.get('*/v1/user/orders/:id', () =>
      HttpResponse.json({ success: true, result: { ...sale, history } }),
    ),
  );
  renderAt(pagePath('order', { transactionId: sale.transaction_id }), [
    { path: pagePaths.order, element: <OrderPage /> },
  ]);
  const pointOf = (text: string) => screen.getByText(text).previousElementSibling;
  await screen.findByText('PayoutFailed');
  expect(pointOf('PayoutFailed')?.className).toContain('Timeline-bad');
  expect(pointOf('PayoutStopped')?.className).not.toContain('Timeline-bad');
  expect(pointOf('PayoutStopped')?.innerHTML).toBe(pointOf('PayoutFailed')?.innerHTML);
});
