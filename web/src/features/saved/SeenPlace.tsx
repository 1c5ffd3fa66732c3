import { lazy, Suspense } from 'react';
import { useSeen } from '../../stores/kept-goods.js';
import { useAfterPaint } from '../../ui/use-browser.js';

const SeenRow = lazy(() => import('./SeenRow.js'));

interface SeenPlaceProps {
  /** The product of the current page, which is left out. */
  readonly besides?: string;
}

/** Recently seen products, last on a page. They load after the first paint, so nothing in sight moves. */
export function SeenPlace({ besides }: SeenPlaceProps) {
  const ids = useSeen();
  const painted = useAfterPaint();
  if (!painted || ids.every((id) => id === besides)) return null;
  return (
    <Suspense>
      <SeenRow ids={ids} besides={besides} />
    </Suspense>
  );
}
