import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { heading, open, setUpDelivery } from '../../../test/delivery.js';
import { anOrder } from '../../../test/orders.js';
import { readEverythingAgain } from '../../../test/render.js';
import type { Order } from '../../api/types.js';
import { saveOrder } from '../../stores/orders.js';

const { orders, placed, sent, server, toasts } = setUpDelivery();
const settled = (status: Order['shares'][number]['status']) =>
  anOrder().shares.map((share) => ({ ...share, status }));

/** Opens the dialog. */
async function report() {
  fireEvent.click(await screen.findByRole('button', { name: 'Report a problem' }));
  return within(screen.getByRole('dialog', { name: 'Report a problem' }));
}

describe('delivery confirmation', () => {
  it('says from when a problem can be reported', async () => {
    saveOrder(placed(), 'paid');
    open();
    expect(
      await screen.findByText(/report a problem from Monday,? 23 November.*10:05, Lagos time/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Report a problem' })).toBeNull();
  });

  it('reports a problem: whose goods, and what', async () => {
    const key = placed({ may_report_problem: true });
    saveOrder(key, 'paid');
    const { container } = open();
    const dialog = await report();
    const [goods] = dialog.getAllByRole('checkbox');
    expect(goods?.hasAttribute('aria-invalid')).toBe(false);
    // They are there before they say something: else it is not announced.
    const regions = [...screen.getByRole('dialog').querySelectorAll('[aria-live]')];
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    const problem = dialog.getByText('Choose whose goods it is about');
    expect(regions.some((region) => region.contains(problem))).toBe(true);
    expect(goods?.getAttribute('aria-invalid')).toBe('true');
    expect(dialog.getByText('Say what is wrong')).toBeTruthy();
    await expectAccessible(container);
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Glow by Bisi' }));
    // Nothing of it can be seen.
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: '\u200B' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    expect(dialog.getByText('Say what is wrong')).toBeTruthy();
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'The soap is wet.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `/v1/orders/${key}/problem`,
        body: { sellerIds: ['s2'], message: 'The soap is wet.' },
      },
    ]);
  });

  it('reports a problem once though the answer was lost', async () => {
    const key = placed({ may_report_problem: true });
    saveOrder(key, 'paid');
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/v1/orders/:key/problem', ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        // The first press, which is tried three times, arrives; its answers do not.
        if (keys.length <= 3) return HttpResponse.error();
        return HttpResponse.json({ success: true, message: 'Thank you.' });
      }),
    );
    open();
    const dialog = await report();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Glow by Bisi' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'The soap is wet.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await dialog.findByRole('alert');
    // A tap beside the dialog.
    fireEvent.mouseDown(screen.getByRole('dialog'), { clientX: 5, clientY: 5 });
    fireEvent.click((await report()).getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  it('says that the report has arrived where the order shows it, although its answer was lost', async () => {
    const key = placed({ may_report_problem: true });
    saveOrder(key, 'paid');
    server.use(http.post('*/v1/orders/:key/problem', () => HttpResponse.json({}, { status: 403 })));
    open();
    const dialog = await report();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Adunni Textiles' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'It came broken.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await dialog.findByRole('alert');
    const [first, ...others] = anOrder().shares;
    if (first === undefined) throw new Error('an order of nobody');
    const shares = [{ ...first, status: 'disputed' as const }, ...others];
    orders.set(key, anOrder({ may_report_problem: true, shares, transactionId: key }));
    await readEverythingAgain();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(toasts.map(({ text }) => text)).toEqual(['Your report has arrived. We hold the money.']);
    // The next report is another one, about whose goods are left.
    const next = await report();
    expect(next.getByRole('checkbox', { name: 'Glow by Bisi' })).toBeTruthy();
    expect(next.queryByRole('checkbox', { name: 'Adunni Textiles' })).toBeNull();
    expect(next.getByRole<HTMLTextAreaElement>('textbox').value).toBe('');
  });

  it('sends only whose goods are ticked and in sight, however the order changes meanwhile', async () => {
    const key = placed({ may_report_problem: true });
    saveOrder(key, 'paid');
    open();
    const dialog = await report();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Adunni Textiles' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'It came broken.' } });
    const [first, ...others] = anOrder().shares;
    if (first === undefined) throw new Error('an order of nobody');
    const shares = [{ ...first, status: 'disputed' as const }, ...others];
    orders.set(key, anOrder({ may_report_problem: true, shares, transactionId: key }));
    await readEverythingAgain();
    const ticked = dialog
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter(({ checked }) => checked);
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(ticked).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({ sellerIds: ['s1'] });
  });

  it('keeps what was typed of a problem until it is sent, for this order alone', async () => {
    const key = placed({ may_report_problem: true });
    const other = placed({ may_report_problem: true });
    const text = () => screen.getByRole<HTMLTextAreaElement>('textbox').value;
    const first = open(`#${key}`);
    const dialog = await report();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Glow by Bisi' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'The soap is wet.' } });
    // A tap beside the dialog.
    fireEvent.mouseDown(screen.getByRole('dialog'), { clientX: 5, clientY: 5 });
    expect(screen.queryByRole('dialog')).toBeNull();
    await report();
    expect(text()).toBe('The soap is wet.');
    first.unmount();

    const another = open(`#${other}`);
    await report();
    expect(text()).toBe('');
    another.unmount();

    const last = open(`#${key}`);
    const again = await report();
    expect(again.getByRole('checkbox', { name: 'Glow by Bisi' })).toHaveProperty('checked', true);
    fireEvent.click(again.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[0]?.body).toEqual({ sellerIds: ['s2'], message: 'The soap is wet.' });
    last.unmount();
    open(`#${key}`);
    await report();
    expect(text()).toBe('');
  });

  it('says that a problem was reported once nothing covers the page any more', async () => {
    const [share] = anOrder().shares;
    if (share === undefined) throw new Error('it has a seller');
    const key = placed({ may_report_problem: true, shares: [share] });
    saveOrder(key, 'paid');
    const order = delayedAnswer(() =>
      HttpResponse.json({ success: true, order: anOrder({ transactionId: key }) }),
    );
    let isAskedAgain = false;
    server.use(
      http.post('*/v1/orders/:key/problem', () => {
        server.use(
          http.get('*/v1/orders/:key', () => {
            isAskedAgain = true;
            return order.resolver();
          }),
        );
        return HttpResponse.json({ success: true, message: 'We look into it.' });
      }),
    );
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Report a problem' }));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'The soap is wet.' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(isAskedAgain).toBe(true));
    // A message outside of an open dialog is heard and reached by nobody.
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(toasts).toEqual([]);
    order.release();
    await waitFor(() => expect(toasts.map(({ text }) => text)).toEqual(['We look into it.']));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each<[string, Partial<Order>, string]>([
    [
      'is looked into',
      { recieved: 'DISPUTED', shares: settled('disputed') },
      'We are looking into your problem',
    ],
    [
      'can have no other problem',
      { may_report_problem: false, report_from: null },
      'Have you received the product?',
    ],
  ])(
    'goes on at the heading when the order %s once a problem is reported',
    async (_, change, title) => {
      const [share] = anOrder().shares;
      if (share === undefined) throw new Error('it has a seller');
      const key = placed({ may_report_problem: true, shares: [share] });
      saveOrder(key, 'paid');
      server.use(
        http.post('*/v1/orders/:key/problem', () => {
          placed(change, key);
          return HttpResponse.json({ success: true, message: 'Thank you.' });
        }),
      );
      open();
      const button = await screen.findByRole('button', { name: 'Report a problem' });
      act(() => button.focus());
      fireEvent.click(button);
      fireEvent.change(screen.getByRole('textbox'), { target: { value: 'The soap is wet.' } });
      fireEvent.click(screen.getByRole('button', { name: 'Send' }));
      await screen.findByRole('heading', { level: 1, name: title });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(document.activeElement).toBe(heading()));
    },
  );

  it('gives the focus back to the button while more problems can be reported', async () => {
    saveOrder(placed({ may_report_problem: true }), 'paid');
    open();
    const button = await screen.findByRole('button', { name: 'Report a problem' });
    act(() => button.focus());
    fireEvent.click(button);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(document.activeElement).toBe(button);
  });
});
