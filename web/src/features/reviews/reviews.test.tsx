import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { firstAnswerLost } from '../../../test/lost-answer.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import type { Bars, Comment } from '../../api/types.js';
import { signIn, signOut } from '../../stores/session.js';
import { registerToaster, type ToastRequest } from '../../ui/toast.js';
import Reviews from './ReviewsPage.js';

const server = setupServer();
let comments: Comment[] = [];
let bars: Bars = { bar1: 1, bar2: 2, bar3: null, bar4: 8, bar5: 24 };
let sent: unknown[] = [];
let toasts: ToastRequest[] = [];
let letGo = () => {};

const aComment = (comment_id: string, comment_text: string, businessName: string | null) => ({
  comment_id,
  comment_text,
  businessName,
  stars: 4,
  created_at: new Date(Date.now() - 49 * 3_600_000).toISOString(),
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  signOut();
  comments = [
    aComment('c2', 'Deep blue, five yards.', 'Glow by Bisi'),
    aComment('c1', 'Quick.', null),
  ];
  bars = { bar1: 1, bar2: 2, bar3: null, bar4: 8, bar5: 24 };
  sent = [];
  toasts = [];
  sessionStorage.clear();
  letGo = registerToaster((request) => toasts.push(request));
  server.use(
    http.get('*/v1/comments', () => HttpResponse.json({ success: true, result: comments })),
    http.get('*/v1/ratings', () => HttpResponse.json({ success: true, result: [bars] })),
  );
});
afterEach(() => {
  letGo();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Answers the post when `answer` is called. */
const posting = () => {
  let answer = (_: Response) => {};
  const answered = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('*/v1/add-comment', async ({ request }) => {
      sent.push(await request.json());
      return answered;
    }),
  );
  return (status: number, body: object) => answer(HttpResponse.json(body, { status }));
};
const open = () =>
  renderAt('/ratings-and-reviews', [{ path: pagePaths.reviews, element: <Reviews /> }]);
/** Opens the page in an app that knows only what is stored. */
const loadAgain = async () => {
  vi.resetModules();
  const { default: Anew } = await import('./ReviewsPage.js');
  renderAt('/ratings-and-reviews', [{ path: pagePaths.reviews, element: <Anew /> }]);
};
const text = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Write your experience...');
const star = (count: number) =>
  screen.getByRole<HTMLInputElement>('radio', { name: `${count} of 5 stars` });
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit' });
const write = (words: string) => fireEvent.change(text(), { target: { value: words } });

describe('ratings and reviews', () => {
  it('shows five rows of count × 10 px, and the comments with their authors', async () => {
    const { container } = open();
    const rows = within(await screen.findByRole('region', { name: 'Ratings' })).getAllByRole(
      'listitem',
    );
    expect(rows.map((row) => row.querySelector('i')?.style.width)).toEqual([
      '240px',
      '80px',
      '0px',
      '20px',
      '10px',
    ]);
    expect(screen.getByText('35 ratings')).toBeTruthy();
    const list = within(screen.getByRole('region', { name: "Users' Comments" }));
    const items = await list.findAllByRole('listitem');
    expect(items.map((item) => item.querySelector('b')?.textContent)).toEqual([
      'Glow by Bisi',
      'Anonymous',
    ]);
    expect(items[0]?.textContent).toContain('2 days ago');
    expect(items.map((item) => within(item).getByRole('img').getAttribute('aria-label'))).toEqual([
      '4 of 5 stars',
      '4 of 5 stars',
    ]);
    await expectAccessible(container);
  });

  it('says No comments yet. where nobody has written', async () => {
    comments = [];
    const { container } = open();
    expect(await screen.findByText('No comments yet.')).toBeTruthy();
    await expectAccessible(container);
  });

  it('opens Submit with a star, of which one is chosen at a time', () => {
    open();
    expect(submit().getAttribute('aria-disabled')).toBe('true');
    // A disabled button would lose the focus when the sent form empties.
    expect(submit().disabled).toBe(false);
    fireEvent.click(submit());
    expect([sent, toasts]).toEqual([[], []]);
    fireEvent.click(star(3));
    fireEvent.click(star(5));
    expect([1, 2, 3, 4, 5].filter((count) => star(count).checked)).toEqual([5]);
    expect(submit().getAttribute('aria-disabled')).toBeNull();
  });

  it.each([
    ['without one', '   '],
    ['where nothing of it can be seen', '\u200B\n\u00AD'],
  ])('asks for a comment and sends nothing %s', (_, nothing) => {
    open();
    fireEvent.click(star(4));
    write(nothing);
    fireEvent.click(submit());
    expect(toasts).toMatchObject([{ kind: 'err', text: 'Please enter your comment' }]);
    expect(sent).toEqual([]);
  });

  it('thanks and clears before the server answers, then loads comments and ratings again', async () => {
    const answer = posting();
    open();
    await screen.findByText('35 ratings');
    fireEvent.click(star(2));
    write(' Slow rider. ');
    fireEvent.click(submit());
    expect(toasts).toMatchObject([{ kind: 'ok', duration: 5_000 }]);
    await waitFor(() => expect(text().value).toBe(''));
    expect(star(2).checked).toBe(false);
    await waitFor(() =>
      expect(sent).toEqual([
        {
          comment_text: 'Slow rider.',
          ratingData: { bar1: 0, bar2: 1, bar3: 0, bar4: 0, bar5: 0 },
        },
      ]),
    );
    comments = [aComment('c3', 'Slow rider.', null), ...comments];
    bars = { ...bars, bar2: 3 };
    answer(201, { success: true, comment_id: 'c3' });
    // In Arabic it runs from right to left, with its full stop at the left.
    expect((await screen.findByText('Slow rider.')).dir).toBe('auto');
    expect(await screen.findByText('36 ratings')).toBeTruthy();
  });

  it('puts the business name under it when signed in', async () => {
    posting();
    signIn(aSeller(), 'token');
    open();
    expect(screen.getByText('Shown as Coal City Footwear.')).toBeTruthy();
    fireEvent.click(star(5));
    write('Paid the same day.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toMatchObject([{ businessName: 'Coal City Footwear' }]));
  });

  it('leaves out the name of a suspended seller, whose review the market takes only without it', async () => {
    posting();
    signIn(aSeller({ is_suspended: 1 }), 'token');
    open();
    expect(screen.getByText('Shown as Anonymous.')).toBeTruthy();
    fireEvent.click(star(3));
    write('Slow, but it came.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).not.toHaveProperty('businessName');
  });

  it('gives back what was written when it could not be posted', async () => {
    expectErrors(/One review in 30 seconds/);
    const answer = posting();
    open();
    fireEvent.click(star(1));
    write('Never came.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    answer(429, { success: false, message: 'One review in 30 seconds.' });
    await waitFor(() => expect(text().value).toBe('Never came.'));
    expect(star(1).checked).toBe(true);
    expect(screen.getByRole('alert').textContent).toContain('One review in 30 seconds.');
    expect(console.error).toHaveBeenCalledOnce();
  });

  it('sends a review whose answer was lost again as the same one, and the next as another', async () => {
    expectErrors(/You are offline/);
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/v1/add-comment', async ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        sent.push(await request.json());
        return keys.length === 1
          ? HttpResponse.error()
          : HttpResponse.json({ success: true, comment_id: 'c3' }, { status: 201 });
      }),
    );
    const post = () => {
      fireEvent.click(star(2));
      write('Slow rider.');
      fireEvent.click(submit());
    };
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    post();
    await waitFor(() => expect(text().value).toBe('Slow rider.'));
    online.mockRestore();
    for (const count of [2, 3]) {
      post();
      await waitFor(() => expect(keys).toHaveLength(count));
      await allIsSaid();
    }
    expect(sent[1]).toEqual(sent[0]);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is not posted a second time where it was changed after its answer was lost, and says so', async () => {
    expectErrors(/You are offline/, /^ApiError$/);
    const { handler, taken } = firstAnswerLost(
      '*/v1/add-comment',
      () => HttpResponse.error(),
      () => HttpResponse.json({ success: true, comment_id: 'c3' }, { status: 201 }),
    );
    server.use(handler);
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    const post = async (words: string) => {
      fireEvent.click(star(2));
      write(words);
      fireEvent.click(submit());
      await waitFor(() => expect(text().value).toBe(words));
    };
    await post('Slow rider.');
    online.mockRestore();
    await post('Slow rider!');
    expect(screen.getByText(/The market has it as you wrote it first/)).toBeTruthy();
    expect(taken.size).toBe(1);
    fireEvent.click(submit());
    await waitFor(() => expect(taken.size).toBe(2));
    await allIsSaid();
    expect(text().value).toBe('');
  });

  it('is another one where it is written while the first is still on its way', async () => {
    const keys: (string | null)[] = [];
    const slow = delayedAnswer(() =>
      HttpResponse.json({ success: true, comment_id: 'c3' }, { status: 201 }),
    );
    server.use(
      http.post('*/v1/add-comment', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return slow.resolver();
      }),
    );
    open();
    for (const [count, words] of [
      [1, 'Slow rider.'],
      [2, 'But the soap is the best.'],
    ] as const) {
      fireEvent.click(star(2));
      write(words);
      fireEvent.click(submit());
      await waitFor(() => expect(keys).toHaveLength(count));
    }
    slow.release();
    await allIsSaid();
    expect(keys[1]).not.toBe(keys[0]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('posts as nobody what bears no name, so that the same key stays the same review after the log-in', async () => {
    signIn(aSeller({ is_suspended: 1 }), 'token');
    const tokens: (string | null)[] = [];
    server.use(
      http.post('*/v1/add-comment', ({ request }) => {
        tokens.push(request.headers.get('Authorization'));
        return HttpResponse.json({ success: true, comment_id: 'c3' }, { status: 201 });
      }),
    );
    open();
    fireEvent.click(star(2));
    write('Slow rider.');
    fireEvent.click(submit());
    await waitFor(() => expect(tokens).toEqual([null]));
    await allIsSaid();
  });

  it('leaves what was written meanwhile', async () => {
    expectErrors(/One review in 30 seconds/);
    const answer = posting();
    open();
    fireEvent.click(star(1));
    write('Never came.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    write('It came after all.');
    answer(429, { success: false, message: 'One review in 30 seconds.' });
    await screen.findByRole('alert');
    expect(text().value).toBe('It came after all.');
  });

  it('leaves the stars that were chosen meanwhile', async () => {
    expectErrors(/One review in 30 seconds/);
    const answer = posting();
    open();
    fireEvent.click(star(1));
    write('Never came.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.click(star(4));
    answer(429, { success: false, message: 'One review in 30 seconds.' });
    await waitFor(() => expect(text().value).toBe('Never came.'));
    expect(star(4).checked).toBe(true);
  });

  it('tells whoever has gone elsewhere that it was not posted, and has it in the form again', async () => {
    expectErrors(/One review in 30 seconds/);
    const answer = posting();
    const { unmount } = open();
    fireEvent.click(star(1));
    write('Never came.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    unmount();
    answer(429, { success: false, message: 'One review in 30 seconds.' });
    await waitFor(() => expect(toasts.at(-1)?.text).toBe('One review in 30 seconds.'));
    open();
    expect(text().value).toBe('Never came.');
    expect(star(1).checked).toBe(true);
  });

  it('has a review again that was on its way when the page was loaded anew, and sends it as the same one', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/v1/add-comment', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? new Promise<never>(() => {})
          : HttpResponse.json({ success: true, comment_id: 'c3' }, { status: 201 });
      }),
    );
    const first = open();
    fireEvent.click(star(4));
    write('Deep blue.');
    fireEvent.click(submit());
    await waitFor(() => expect(keys).toHaveLength(1));
    first.unmount();
    await loadAgain();
    expect(text().value).toBe('Deep blue.');
    expect(star(4).checked).toBe(true);
    fireEvent.click(submit());
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[1]).toBe(keys[0]);
    await waitFor(() => expect(sessionStorage.length).toBe(0));
  });

  it('is thanked for once: the form is empty for whoever looks in again before it is posted', async () => {
    const answer = posting();
    const first = open();
    fireEvent.click(star(4));
    write('Deep blue.');
    fireEvent.click(submit());
    await waitFor(() => expect(sent).toHaveLength(1));
    first.unmount();
    open();
    expect([text().value, star(4).checked]).toEqual(['', false]);
    answer(201, { success: true, comment_id: 'c3' });
    await allIsSaid();
    await waitFor(() => expect(sessionStorage.length).toBe(0));
  });

  it('keeps what is written through a reload', () => {
    const first = open();
    fireEvent.click(star(4));
    first.unmount();
    const second = open();
    expect(star(4).checked).toBe(true);
    write('It was goo');
    second.unmount();
    open();
    expect(text().value).toBe('It was goo');
    expect(star(4).checked).toBe(true);
  });
});
