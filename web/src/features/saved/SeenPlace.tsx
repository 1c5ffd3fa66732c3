import { useSeen } from '../../stores/kept-goods.js';
import { AfterPaint, optional } from '../../ui/AfterPaint.js';

const SeenRow = optional(() => import('./SeenRow.js'));

interface SeenPlaceProps {
  /** The product of the current page, which is left out. */
  readonly besides?: string;
}

/** Recently seen products, last on a page. They load after the first paint, so nothing in sight moves. */
export function SeenPlace({ besides }: SeenPlaceProps) {
  const ids = useSeen();
  if (ids.every((id) => id === besides)) return null;
  return (
    <AfterPaint>
      <SeenRow ids={ids} besides={besides} />
    </AfterPaint>
  );
}
