import { lazy, Suspense } from 'react';
import { useAfterPaint } from './use-after-paint.js';

const Toaster = lazy(() => import('./Toaster.js'));

/** Keeps the place of the toaster, and fetches it once the page stands. */
export function ToastHost() {
  const painted = useAfterPaint();
  if (!painted) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
