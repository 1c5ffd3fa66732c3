import { useEffect, useState } from 'react';

/** False in the first render, true once the browser has painted and has nothing more urgent to do. */
export function useAfterPaint(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const handle = requestIdleCallback(() => setPainted(true), { timeout: 2_000 });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(() => setPainted(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return painted;
}
