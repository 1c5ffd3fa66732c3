import { type RefObject, useEffect, useState } from 'react';

/**
 * Whether the pointer is over something, or the keyboard's focus in it. Focus that a press left behind holds nothing:
 * what was touched goes on once it is let go.
 */
export function useHoverOrFocus(box: RefObject<HTMLElement | null>): boolean {
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setFocused(element.querySelector(':focus-visible') !== null);
    look();
    const handlers = {
      // Enters of its parts count: it may have been entered before this code came.
      pointerover: () => setOver(true),
      pointerleave: () => setOver(false),
      focusin: look,
      focusout: () => setFocused(false),
    };
    const all = Object.entries(handlers);
    for (const [name, handler] of all) element.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of all) element.removeEventListener(name, handler);
    };
  }, [box]);
  return over || focused;
}
