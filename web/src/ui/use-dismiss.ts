import { type RefObject, useEffect, useRef } from 'react';

/** While open: Escape, a press outside and focus outside dismiss it. */
export function useDismiss(
  box: RefObject<HTMLElement | null>,
  open: boolean,
  dismiss: (byKey: boolean) => void,
): void {
  const latest = useRef(dismiss);
  latest.current = dismiss;
  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) latest.current(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current(true);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', key);
    };
  }, [box, open]);
}
