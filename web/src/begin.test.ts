import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

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
  vi.resetModules();
  // The file never finds what to load: it is never painted.
  vi.stubGlobal('requestAnimationFrame', () => 0);
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
