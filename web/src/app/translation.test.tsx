import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { patchForTranslation } from './translation.js';

patchForTranslation(document);

const textsIn = (root: Element): Text[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
};

const inFont = (text: string): HTMLElement => {
  const font = document.createElement('font');
  font.append(document.createElement('font'));
  font.firstElementChild?.append(text.toUpperCase());
  return font;
};

/** The ways in which translators are known to put their words into a page. */
const ways = {
  'replaced each text': (root: Element) => {
    for (const text of textsIn(root)) text.replaceWith(inFont(text.data));
  },
  'put words before each text and removed it': (root: Element) => {
    for (const text of textsIn(root)) {
      text.before(inFont(text.data));
      text.remove();
    }
  },
  'replaced neighbouring texts together': (root: Element) => {
    for (const parent of new Set(textsIn(root).map(({ parentElement }) => parentElement))) {
      const runs: Text[][] = [[]];
      for (const node of parent?.childNodes ?? [])
        if (node instanceof Text) runs.at(-1)?.push(node);
        else runs.push([]);
      for (const run of runs) {
        run[0]?.before(inFont(run.map(({ data }) => data).join('')));
        for (const text of run) text.remove();
      }
    }
  },
  'wrapped each text': (root: Element) => {
    for (const text of textsIn(root)) {
      const font = inFont('');
      text.before(font);
      font.firstElementChild?.replaceChildren(text);
    }
  },
} as const;

let pieces = (_: number) => {};

/** Bare texts that change, come and go beside elements, as in many places of the market. */
function Cart() {
  const [count, setCount] = useState(1);
  pieces = setCount;
  return (
    <p>
      <b>₦</b>
      {1_000 * count} in {count} {count === 1 ? 'piece' : 'pieces'}
      {count === 3 && <i>, three</i>}
      {count !== 2 && '; not two'}
      {count > 1 && <em>!</em>}
      {' of'} rope
    </p>
  );
}

it.each(Object.entries(ways))('shows what is true after a translator %s', async (_, translate) => {
  const { container, unmount } = render(<Cart />);
  const shown = () => container.textContent?.toLowerCase();
  const translated = () => act(async () => translate(container));
  await translated();
  expect(shown()).toBe('₦1000 in 1 piece; not two of rope');
  act(() => pieces(2));
  expect(shown()).toBe('₦2000 in 2 pieces! of rope');
  act(() => pieces(3));
  await translated();
  act(() => pieces(4));
  expect(shown()).toBe('₦4000 in 4 pieces; not two! of rope');
  await translated();
  await translated();
  act(() => pieces(3));
  expect(shown()).toBe('₦3000 in 3 pieces, three; not two! of rope');
  await translated();
  act(() => pieces(2));
  expect(shown()).toBe('₦2000 in 2 pieces! of rope');
  await translated();
  unmount();
  expect(container.textContent).toBe('');
});

it('does not bring back a text that was removed beside translated words', async () => {
  const { container } = render(<Cart />);
  await act(async () => ways['replaced each text'](container));
  act(() => pieces(2));
  act(() => pieces(4));
  act(() => pieces(2));
  expect(screen.queryByText(/not two/)).toBeNull();
  expect(container.textContent?.toLowerCase()).toBe('₦2000 in 2 pieces! of rope');
});

it('leaves words that a translator put somewhere unknown, but keeps the page', async () => {
  const { container } = render(<Cart />);
  await act(async () => {
    const all = textsIn(container);
    for (const text of all) text.remove();
    container.querySelector('b')?.before(inFont('something else'));
  });
  act(() => pieces(2));
  act(() => pieces(3));
  expect(container.querySelector('i')?.textContent).toBe(', three');
});
