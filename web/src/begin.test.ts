import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expectErrors } from '../test/console.js';

/** Names of what was pressed in the running app. */
let reached: (string | null)[] = [];

interface Heart {
  readonly of: string;
  readonly on?: boolean;
  readonly off?: true;
}

/** A page with one button for each product. The running app hears them. */
function show(hearts: readonly Heart[], alive: boolean): void {
  document.body.innerHTML = hearts
    .map(
      ({ of, on = false, off }) =>
        `<button type="button" ${off ? 'disabled' : ''}
          aria-pressed="${on}" aria-label="Save: ${of}"></button>`,
    )
    .join('');
  if (!alive) return;
  for (const button of document.querySelectorAll('button'))
    button.addEventListener('click', () => reached.push(button.getAttribute('aria-label')));
}

/** Presses a button of a page as the server rendered it, before the app makes the page anew. */
async function pressEarly(place: number, before: readonly Heart[], after: readonly Heart[]) {
  show(before, false);
  await import('./begin.js');
  fireEvent.click(screen.getAllByRole('button')[place] ?? document);
  show(after, true);
  dispatchEvent(new Event('oja:alive'));
  await new Promise((replayed) => setTimeout(replayed));
}

beforeEach(() => {
  reached = [];
  sessionStorage.clear();
  document.documentElement.removeAttribute('data-dead');
  vi.resetModules();
  // The file never finds what to load: it is never painted.
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const bag = { of: 'Bag' };
const shoe = { of: 'Shoe' };

it('presses the same button of a page that was made anew', async () => {
  await pressEarly(1, [bag, shoe], [shoe, bag]);
  expect(reached).toEqual(['Save: Shoe']);
});

it('tells buttons of one name apart by their places', async () => {
  await pressEarly(1, [bag, bag, shoe], [bag, { ...bag, on: true }, shoe]);
  expect(reached).toEqual([]);
});

it.each([
  ['is not there', [shoe]],
  ['already shows what was asked for', [{ ...bag, on: true }]],
  ['is disabled', [{ ...bag, off: true as const }]],
])('presses nothing when the button %s', async (_, after) => {
  await pressEarly(0, [bag], after);
  expect(reached).toEqual([]);
});

it('presses no button whose name says meanwhile that it is done', async () => {
  show([bag, shoe], true);
  const [toCart, other] = screen.getAllByRole('button');
  toCart?.setAttribute('aria-label', 'Add to cart: Bag');
  await import('./begin.js');
  for (const button of [toCart, other]) fireEvent.click(button ?? document);
  reached = [];
  // The cart of an earlier visit held it.
  toCart?.setAttribute('aria-label', 'Remove from cart: Bag');
  dispatchEvent(new Event('oja:alive'));
  await new Promise((replayed) => setTimeout(replayed));
  expect(reached).toEqual(['Save: Shoe']);
});

/** A page whose app is not at its address; `answers` says whether the market answers, time after time. */
async function failToLoad(answers: readonly boolean[]) {
  const left = [...answers];
  const look = vi.fn(async () => {
    if (left.shift() === false) throw new TypeError('Failed to fetch');
    return new Response();
  });
  vi.stubGlobal('fetch', look);
  expectErrors(/Cannot find module '\/gone\.js'/);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  document.body.innerHTML = '<script type="text/plain" data-entry="/gone.js"></script>';
  await import('./begin.js');
  await vi.waitFor(() => expect(look).toHaveBeenCalled());
  return { look, reload };
}

/** Whether the line about a page that is not complete is shown at once. */
const tellsDead = () => document.documentElement.hasAttribute('data-dead');

it('loads the page again when the app has not come', async () => {
  const { look, reload } = await failToLoad([true]);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(tellsDead()).toBe(false);
  // The worker answers no HEAD: what answers is the market.
  expect(look).toHaveBeenCalledWith('/robots.txt', { method: 'HEAD', cache: 'no-store' });
});

it('waits for the network before it loads the page again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { look, reload } = await failToLoad([false, true]);
  await vi.waitFor(() => expect(tellsDead()).toBe(true));
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(look).toHaveBeenCalledTimes(2);
});

it('asks until a market answers that is only out of reach', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { look, reload } = await failToLoad([false, false, true]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).toHaveBeenCalledOnce();
  expect(look).toHaveBeenCalledTimes(3);
});

it('does not load the page again and again', async () => {
  const first = await failToLoad([true]);
  await vi.waitFor(() => expect(first.reload).toHaveBeenCalledOnce());
  first.reload.mockClear();
  vi.resetModules();
  const second = await failToLoad([true]);
  await new Promise((looked) => setTimeout(looked));
  expect(second.reload).not.toHaveBeenCalled();
  expect(tellsDead()).toBe(true);
});

it('says that the page is not complete where a loop could not be detected', async () => {
  vi.spyOn(sessionStorage, 'getItem').mockImplementation(() => {
    throw new Error('The operation is insecure');
  });
  const { reload } = await failToLoad([true]);
  await vi.waitFor(() => expect(tellsDead()).toBe(true));
  expect(reload).not.toHaveBeenCalled();
});
