import { type RefObject, useEffect, useState } from 'react';

/** Whether the pointer is over something, or the focus in it. */
export function useHeld(box: RefObject<HTMLElement | null>): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const hold = () => setHeld(true);
    const release = () => setHeld(false);
    const on = ['pointerenter', 'focusin'] as const;
    const off = ['pointerleave', 'focusout'] as const;
    for (const name of on) element.addEventListener(name, hold);
    for (const name of off) element.addEventListener(name, release);
    return () => {
      for (const name of on) element.removeEventListener(name, hold);
      for (const name of off) element.removeEventListener(name, release);
    };
  }, [box]);
  return held;
}
