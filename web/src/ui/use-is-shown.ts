import { type RefObject, useEffect, useRef } from 'react';

/**
 * Whether the component is still on screen. An answer may come minutes after a press, on a slow network; by then
 * the person may have gone elsewhere, and must not be led away from there.
 */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
