import { lazy, Suspense } from 'react';
import { useSeen } from '../../stores/kept-goods.js';
import { useAfterPaint } from '../../ui/use-browser.js';

const SeenRow = lazy(() => import('./SeenRow.js'));

interface SeenPlaceProps {
  /** The product whose page this is. */
  readonly besides?: string;
}

/** Where recently seen goods stand, last on a page: they come once it stands, and move nothing in sight. */
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
