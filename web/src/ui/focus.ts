import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Marks elements in which typing changes the address: they keep the focus. */
export const KEEPS_FOCUS = 'data-keeps-focus';

/**
 * The key of the visit to a page: of its entry in the history, also once the page itself has replaced that by one of
 * another address. What was opened or focused meanwhile stays.
 */
export function useVisitKey(): string {
  const { key, state } = useLocation();
  return state?.visit ?? key;
}

/** Whether anything has had the focus yet. Until then it stays as the browser set it on load. */
let wasFocused = false;
const noteFocus = () => {
  wasFocused = true;
};
globalThis.document?.addEventListener('focusin', noteFocus, { once: true });

/**
 * After a change of path, moves the focus to the heading, so that screen readers notice the new page. When a page
 * has changed its own address, the focus moves only if it is lost.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const visit = useVisitKey();
  const before = useRef({ pathname, visit });
  useEffect(() => {
    const last = before.current;
    before.current = { pathname, visit };
    if (last.pathname === pathname) return;
    if (document.activeElement?.closest(`[${KEEPS_FOCUS}]`)) return;
    if (last.visit !== visit || isFocusLost()) focusHeading();
  }, [pathname, visit]);
}

/** Focuses what is no tab stop. */
function focusOn(target: HTMLElement, options?: FocusOptions): void {
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus(options);
}

/**
 * Moves the focus to the page's heading, or to its main part; to the title of a dialog, while one stands, as nothing
 * behind it can take the focus. For actions whose own button disappears.
 */
export function focusHeading(): void {
  const target =
    document.querySelector<HTMLElement>('dialog[open] h2') ??
    document.querySelector<HTMLElement>('#main h1') ??
    document.getElementById('main');
  if (target !== null) focusOn(target, { preventScroll: true });
}

/** Moves the focus past the header, to the main part, and scrolls there. */
export function focusMain(): void {
  const main = document.getElementById('main');
  main?.focus();
  main?.scrollIntoView();
}

const isFocusLost = () => document.activeElement === document.body;

/** Once what had the focus is gone, moves it to the heading, unless something else has taken it. */
export function focusHeadingIfLost(): void {
  if (isFocusLost()) focusHeading();
}

/**
 * When a page replaces its own skeleton, or the part with its heading, the focused element is gone: the focus moves
 * to the page.
 */
export function recoverLostFocus(): void {
  if (wasFocused) focusHeadingIfLost();
}

/**
 * Moves the focus to the heading if it is lost when something disappears because of a press in it.
 * @param isPresent whether it is on the page; left out by a component that unmounts as a whole
 */
export function useFocusHeadingOnUnmount(isPresent = true): void {
  useEffect(() => (isPresent ? focusHeadingIfLost : undefined), [isPresent]);
}

/**
 * For a 'load more' button that disappears once the list is complete. If it had the focus, the focus moves to the first
 * of the items loaded last, where reading and the next Tab continue.
 * @param place the element around the button; the list is its previous sibling
 * @returns a function to call when the button is pressed or focused: items added after that count as new
 */
export function useFocusNewItems(place: RefObject<HTMLElement | null>): () => void {
  const known = useRef(0);
  useLayoutEffect(() => {
    const here = place.current;
    const list = here?.previousElementSibling;
    return () => {
      // The button still stands now; the list is complete once React is done with this change.
      if (here?.contains(document.activeElement))
        queueMicrotask(() => {
          const next = list?.children[known.current];
          if (!isFocusLost()) return;
          if (next instanceof HTMLElement && next.isConnected) focusOn(next);
          else focusHeading();
        });
    };
  }, [place]);
  return () => {
    known.current = place.current?.previousElementSibling?.children.length ?? 0;
  };
}
