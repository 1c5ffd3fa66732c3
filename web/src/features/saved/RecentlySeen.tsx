import { useSeenIds } from '../../stores/saved-and-seen.js';
import { AfterPaint, lazyOptional } from '../../ui/lazy.js';

const SeenRow = lazyOptional(() => import('./SeenRow.js'));

interface RecentlySeenProps {
  /** The product of the current page, which is left out. */
  readonly excludedId?: string;
}

/** Recently seen products, last on a page. They load after the first paint, so nothing in sight moves. */
export function RecentlySeen({ excludedId }: RecentlySeenProps) {
  const ids = useSeenIds();
  if (ids.every((id) => id === excludedId)) return null;
  return (
    <AfterPaint>
      <SeenRow ids={ids} excludedId={excludedId} />
    </AfterPaint>
  );
}
