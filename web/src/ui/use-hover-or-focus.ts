import { type RefObject, useEffect, useState } from 'react';

/**
 * Whether the pointer is over an element, or the keyboard focus is in it. Focus from a press does not count,
 * so that what was touched continues after the touch.
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
      // `pointerover` and not `pointerenter`: the pointer may have entered before this code ran.
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
