import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { setUpMyOrders, unpaid } from '../../../test/my-orders.js';
import { anOrder } from '../../../test/orders.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import type { Order } from '../../api/types.js';
import { removeOrder } from '../../stores/orders.js';
import { signIn, signOut } from '../../stores/session.js';
import Receipt from './ReceiptPage.js';

const { server, orders, placed } = setUpMyOrders();
const open = (key: string) =>
  renderAt(`/orders/${key.split('.')[0]}`, [{ path: pagePaths.receipt, element: <Receipt /> }]);

describe('the receipt', () => {
  it('has every line by seller, the fee and the total, and can be printed', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const [first, second] = anOrder().shares;
    const shares = [first, second && { ...second, status: 'refunded' as const }].flatMap(
      (one) => one ?? [],
    );
    const key = placed({ amount: 39_900, delivery_fee: 800, shares });
    const { container } = open(key);
    await screen.findByRole('table');
    const rows = screen.getAllByRole('row').map((row) => row.textContent);
    expect(rows).toEqual([
      'ProductSum',
      'Adunni Textiles: Paid',
      'Adire eleko cotton2 × ₦17,250₦34,500',
      'Glow by Bisi: Refunded',
      'Black soap1 × ₦4,600₦4,600',
      'Delivery fee₦800',
      'Total₦39,900',
    ]);
    await expectAccessible(container);
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it.each<[string, Partial<Order>, readonly string[]]>([
    [
      'confirmed, but for what was complained about',
      { delivered_at: '2026-11-23T09:05:00.000Z' },
      ['Adunni Textiles: Delivered', 'Glow by Bisi: Settled'],
    ],
    ['settled without a Yes', {}, ['Adunni Textiles: Settled', 'Glow by Bisi: Settled']],
  ])('calls no goods delivered of which the buyer never said so: %s', async (_, change, told) => {
    const [first, second] = anOrder().shares;
    const shares = [
      first && { ...first, status: 'released' as const },
      second && { ...second, status: 'paid-out' as const, complaint: 'Nothing came' },
    ].flatMap((one) => one ?? []);
    open(placed({ recieved: 'DELIVERED', shares, ...change }));
    await screen.findByRole('table');
    const groups = screen.getAllByRole('rowheader').map((one) => one.textContent);
    expect(groups).toEqual(told);
  });

  const pays = 'pays each seller once the buyer has confirmed the delivery.';
  it.each<[string, readonly Order['shares'][number]['status'][], string | undefined]>([
    ['all of the money', ['held', 'disputed'], `Oja holds what was paid, and ${pays}`],
    ['a part of it', ['refunded', 'disputed'], `Oja holds the rest of what was paid, and ${pays}`],
    ['none of it', ['paid-out', 'refunded'], undefined],
  ])('says what Oja holds while it is %s', async (_, statuses, told) => {
    const shares = anOrder().shares.flatMap((share, place) => {
      const status = statuses[place];
      return status === undefined ? [] : [{ ...share, status }];
    });
    open(placed({ shares }));
    await screen.findByRole('table');
    expect(screen.queryByText(/^Oja holds/)?.textContent).toBe(told);
  });

  it('is sent by mail: what failed as the same press, what was sent as another', async () => {
    const keys: (string | null)[] = [];
    const tokens: (string | null)[] = [];
    let answered: (() => void) | undefined;
    server.use(
      http.post('*/v1/orders/:key/receipt', async ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        tokens.push(request.headers.get('Authorization'));
        await new Promise<void>((resolve) => {
          answered = resolve;
        });
        return keys.length === 1
          ? HttpResponse.json({ success: false, message: 'Enough for today' }, { status: 409 })
          : HttpResponse.json({ success: true });
      }),
    );
    const key = placed();
    const { container } = open(key);
    const button = () => screen.getByRole('button', { name: 'Send receipt to n•••@example.com' });
    await screen.findByRole('table');
    const press = async (times: number) => {
      fireEvent.click(button());
      await waitFor(() => expect(keys).toHaveLength(times));
      await waitFor(() => expect(button().getAttribute('aria-busy')).toBe('true'));
      answered?.();
    };
    await press(1);
    await screen.findByText('Enough for today');
    act(() => signIn(aSeller(), 'token'));
    onTestFinished(() => signOut());
    await press(2);
    await screen.findByText(/^Receipt sent to n•••@example.com/);
    expect(screen.queryByText('Enough for today')).toBeNull();
    await expectAccessible(container);
    await press(3);
    await waitFor(() => expect(button().getAttribute('aria-busy')).not.toBe('true'));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[1]);
    // To the market, the same key of somebody else is another press.
    expect(tokens).toEqual([null, null, null]);
  });

  it('is none before the order is paid', async () => {
    open(placed(unpaid(1), 'placed'));
    await screen.findByRole('heading', { level: 1, name: 'Order, not paid' });
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });

  it('is shown in the browser that ordered alone', async () => {
    const key = placed();
    removeOrder(key);
    const { container } = open(key);
    await screen.findByRole('heading', { name: 'This order is not on this device' });
    expect(screen.getByRole('link', { name: 'My orders' }).getAttribute('href')).toBe('/orders');
    await expectAccessible(container);
  });

  it('says when the market does not know the order', async () => {
    const key = placed();
    orders.clear();
    open(key);
    await screen.findByRole('heading', { name: 'The market does not know this order any more' });
  });
});
