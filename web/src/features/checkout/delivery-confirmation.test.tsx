import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { heading, open, question, setUpDelivery, stageOf } from '../../../test/delivery.js';
import { anOrder } from '../../../test/orders.js';
import type { Order } from '../../api/types.js';
import { saveOrder, setDeliveryStatus } from '../../stores/orders.js';
import { useAuthStorage } from '../../stores/persistent-store.js';

const { orders, placed, sent, server, toasts } = setUpDelivery();
const settled = (status: Order['shares'][number]['status']) =>
  anOrder().shares.map((share) => ({ ...share, status }));

const confirmed = { recieved: 'DELIVERED', delivered_at: '2026-11-23T09:05:00.000Z' } as const;

describe('delivery confirmation', () => {
  it('Yes confirms, clears the status and goes home', async () => {
    const key = placed();
    saveOrder(key, 'paid');
    setDeliveryStatus('Pending');
    const { router } = open();
    fireEvent.click(await question());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(sent).toEqual([{ method: 'PUT', path: `/v1/buyers/transactions/${key}`, body: {} }]);
    expect(useAuthStorage.getState().status).toBe('AVAILABLE');
    expect(stageOf(key)).toBe('closed');
  });

  it('a second tap on Yes is none', async () => {
    saveOrder(placed(), 'paid');
    const { router } = open();
    const yes = await question();
    fireEvent.click(yes);
    // A phone that is busy handles the next tap before any timer.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    fireEvent.click(yes);
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(sent).toHaveLength(1);
    await waitFor(() => expect(toasts).toHaveLength(1));
  });

  it('leads nobody home who went elsewhere while the answer was on its way', async () => {
    const key = placed();
    saveOrder(key, 'paid');
    const answer = delayedAnswer(() => HttpResponse.json({ ok: true }));
    server.use(http.put('*/v1/buyers/transactions/:key', answer.resolver));
    const { router } = open();
    fireEvent.click(await question());
    await act(() => router.navigate(pagePaths.about));
    answer.release();
    await waitFor(() => expect(toasts).toMatchObject([{ title: 'Delivery confirmed' }]));
    expect(stageOf(key)).toBe('closed');
    expect(router.state.location.pathname).toBe('/about');
  });

  it('No reports it, sets the status to Pending, goes home and says so for 3 seconds', async () => {
    const key = placed();
    saveOrder(key, 'paid');
    const { router } = open();
    await question();
    fireEvent.click(screen.getByRole('button', { name: 'No' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(sent).toEqual([
      { method: 'POST', path: `/v1/orders/${key}/not-received`, body: undefined },
    ]);
    expect(useAuthStorage.getState().status).toBe('Pending');
    expect(stageOf(key)).toBe('paid');
    await waitFor(() =>
      expect(toasts).toMatchObject([
        { kind: 'err', title: 'Failed', text: 'Product not delivered!!!!', duration: 3_000 },
      ]),
    );
  });

  it('stays and says why when an answer could not be sent', async () => {
    saveOrder(placed(), 'paid');
    server.use(
      http.put('*/v1/buyers/transactions/:key', () =>
        HttpResponse.json({ success: false, message: 'The shop is being swept.' }, { status: 503 }),
      ),
    );
    open();
    fireEvent.click(await question());
    expect((await screen.findByRole('alert')).textContent).toContain('The shop is being swept.');
    expect(screen.getByRole('button', { name: 'Yes' })).toHaveProperty('disabled', false);
  });

  it('sends Yes with one key until it is answered, whatever was pressed between', async () => {
    const key = placed();
    saveOrder(key, 'paid');
    const keys: (string | null)[] = [];
    server.use(
      http.put('*/v1/buyers/transactions/:key', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? HttpResponse.json({ success: false, message: 'Not now.' }, { status: 503 })
          : HttpResponse.json({ ok: true });
      }),
      http.post('*/v1/orders/:key/not-received', () =>
        HttpResponse.json({ success: false, message: 'Not now either.' }, { status: 503 }),
      ),
    );
    const { router } = open();
    fireEvent.click(await question());
    await screen.findByText('Not now.');
    fireEvent.click(screen.getByRole('button', { name: 'No' }));
    await screen.findByText('Not now either.');
    expect(screen.queryByText('Not now.')).toBeNull();
    fireEvent.click(await question());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(keys[1]).toBe(keys[0]);
  });

  it('shows what another tab has answered once an answer is refused', async () => {
    const key = placed();
    saveOrder(key, 'paid');
    server.use(
      http.post('*/v1/orders/:key/not-received', () => {
        placed({ ...confirmed, shares: settled('released') }, key);
        return HttpResponse.json({ success: false, message: 'Too late.' }, { status: 409 });
      }),
    );
    open();
    await question();
    const no = screen.getByRole('button', { name: 'No' });
    act(() => no.focus());
    fireEvent.click(no);
    await screen.findByRole('heading', { name: 'You have confirmed this delivery' });
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it('still shows an order that was confirmed elsewhere, and turns off the bell', async () => {
    const key = placed({ ...confirmed, shares: settled('released') });
    saveOrder(key, 'paid');
    setDeliveryStatus('Pending');
    open();
    await screen.findByRole('heading', { name: 'You have confirmed this delivery' });
    await waitFor(() => expect(useAuthStorage.getState().status).toBe('AVAILABLE'));
    expect(stageOf(key)).toBe('closed');
    expect(screen.getByRole('heading', { name: 'You have confirmed this delivery' })).toBeTruthy();
  });

  it('does not reopen an order by an answer that is older than the Yes', async () => {
    const key = placed();
    saveOrder(key, 'closed');
    open(`#${key}`);
    await question();
    expect(stageOf(key)).toBe('closed');
  });

  it('tells who got the money and whose goods were settled for the buyer', async () => {
    const [first, second, ...more] = anOrder().shares;
    if (first === undefined || second === undefined) throw new Error('it has two sellers');
    const shares = [
      { ...first, status: 'refunded' as const },
      { ...second, status: 'paid-out' as const },
      ...more,
    ];
    open(`#${placed({ recieved: 'DELIVERED', shares })}`);
    const told = `The money went to ${second.businessName}. What the goods of ${first.businessName} cost goes back to you.`;
    expect(await screen.findByText(told)).toBeTruthy();
  });

  it.each<[string, Partial<Order>, string]>([
    ['is not paid', { paid_at: null, status: 'pending' }, 'This order is not paid yet'],
    ['was delivered', confirmed, 'You have confirmed this delivery'],
    ['was settled without a Yes', { recieved: 'DELIVERED' }, 'This order is settled'],
    ['was refunded', { recieved: 'REFUNDED' }, 'Your money was given back'],
    [
      'was taken back by the bank',
      { status: 'reversed', recieved: 'REFUNDED' },
      'Your bank has taken the payment back',
    ],
    [
      'was taken back by the bank after a payout',
      { status: 'reversed', recieved: 'DELIVERED', shares: settled('paid-out') },
      'Your bank has taken the payment back',
    ],
    [
      'is disputed',
      { recieved: 'DISPUTED', shares: settled('disputed') },
      'We are looking into your problem',
    ],
  ])('says so when the order %s', async (_, change, title) => {
    const { container } = open(`#${placed(change)}`);
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull();
    await expectAccessible(container);
  });

  it.each<[string, Partial<Order>]>([
    ['waits for its answer', {}],
    ['was delivered', confirmed],
  ])(
    'says of an order that %s and was paid twice that the other payment goes back',
    async (_, change) => {
      open(`#${placed({ ...change, payment_returned: true })}`);
      expect(await screen.findByText(/^You paid for this order more than once\./)).toBeTruthy();
    },
  );

  it.each<[string, Order['shares'][number]['status'], string]>([
    ['was given back', 'refunded', 'What the goods of Adunni Textiles cost goes back to you.'],
    ['went to a seller', 'released', 'The money for the goods of Adunni Textiles went to them.'],
    ['was paid out', 'paid-out', 'The money for the goods of Adunni Textiles went to them.'],
  ])('tells of money that %s while the rest is disputed', async (_, status, told) => {
    const [first, second] = anOrder().shares;
    if (first === undefined || second === undefined) throw new Error('an order of two sellers');
    const shares = [
      { ...first, status },
      { ...second, status: 'disputed' as const },
    ];
    open(`#${placed({ recieved: 'DISPUTED', shares })}`);
    const line = `The money for the goods of Glow by Bisi stays with Oja until this is settled. ${told}`;
    expect(await screen.findByText(line)).toBeTruthy();
  });

  it.each<[string, Partial<Order>, readonly string[]]>([
    ['unpaid', { paid_at: null, status: 'pending' }, ['Order']],
    ['paid', {}, ['Order', 'Pay']],
    ['disputed', { recieved: 'DISPUTED', shares: settled('disputed') }, ['Order', 'Pay']],
    [
      'delivered',
      { ...confirmed, shares: settled('released') },
      ['Order', 'Pay', 'Deliver', 'Confirm'],
    ],
  ])('ticks what is done of an order that is %s', async (_, change, done) => {
    open(`#${placed(change)}`);
    await screen.findByText(/Adire eleko cotton/);
    const ticked = within(screen.getByRole('list', { name: 'Order steps' }))
      .getAllByRole('listitem')
      .filter((step) => within(step).queryByRole('img', { name: 'Done' }) !== null);
    expect(ticked.map((step) => step.textContent)).toEqual(done);
  });

  it.each<[string, Partial<Order>, string]>([
    [
      'refunded',
      { recieved: 'REFUNDED', shares: settled('refunded') },
      'Your money was given back',
    ],
    ['settled', { recieved: 'DELIVERED', shares: settled('released') }, 'This order is settled'],
  ])(
    'ticks nothing of an order that was %s: nobody knows that it came',
    async (_, change, title) => {
      open(`#${placed(change)}`);
      await screen.findByRole('heading', { name: title });
      expect(screen.queryByRole('list', { name: 'Order steps' })).toBeNull();
    },
  );

  it('still asks about the rest while one seller’s goods are disputed', async () => {
    const [first, second] = anOrder().shares;
    if (first === undefined || second === undefined) throw new Error('an order of two sellers');
    open(
      `#${placed({ recieved: 'DISPUTED', shares: [{ ...first, status: 'disputed' }, second] })}`,
    );
    await question();
    expect(screen.getByText(/looking into the goods of Adunni Textiles/)).toBeTruthy();
  });

  it.each<[string, Order['shares'][number]['status'], string, string]>([
    [
      'was given back',
      'refunded',
      'PENDING',
      'What the goods of Adunni Textiles cost goes back to you.',
    ],
    [
      'went to a seller',
      'released',
      'PENDING',
      'The money for the goods of Adunni Textiles went to them.',
    ],
    [
      'was paid out',
      'paid-out',
      'PENDING',
      'The money for the goods of Adunni Textiles went to them.',
    ],
    ['is disputed', 'disputed', 'DISPUTED', 'We are looking into the goods of Adunni Textiles.'],
  ])('names no money as held that %s', async (_, status, recieved, told) => {
    const [first, ...others] = anOrder().shares;
    if (first === undefined) throw new Error('an order of two sellers');
    const key = placed({
      recieved: recieved as Order['recieved'],
      shares: [{ ...first, status }, ...others],
    });
    const { container } = open(`#${key}`);
    await question();
    expect(screen.getByText(new RegExp(told)).textContent).toMatch(/Yes pays Glow by Bisi\.$/);
    expect(screen.getByText(/^No keeps/).textContent).toBe(
      'No keeps the money for the goods of Glow by Bisi held, and we look into it with the seller.',
    );
    expect(document.body.textContent).not.toContain('₦39,100');
    await expectAccessible(container);
  });

  it('says how much is held as long as all of it is', async () => {
    open(`#${placed()}`);
    await question();
    expect(screen.getByText(/^No keeps/).textContent).toMatch(/^No keeps your ₦39,100 held/);
  });

  it('offers another try when the order does not load', async () => {
    expectErrors(/Slow down/);
    const key = placed();
    saveOrder(key, 'paid');
    server.use(
      http.get('*/v1/orders/:key', () =>
        HttpResponse.json({ success: false, message: 'Slow down' }, { status: 429 }),
      ),
    );
    open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.use(
      http.get('*/v1/orders/:key', () =>
        HttpResponse.json({ success: true, order: orders.get(key) }),
      ),
    );
    again.focus();
    act(() => again.click());
    await question();
    expect(document.activeElement).toBe(heading());
  });
});
