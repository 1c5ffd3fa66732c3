import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.js';

/** Pages that come by scrolling alone; after these the foot of the page must be within reach again. */
const PAGES_BY_SCROLL = 3;
/** How far below the window the next page begins to load. */
const AHEAD = '600px';

interface LoadMoreProps {
  readonly pages: number;
  readonly loading: boolean;
  readonly onMore: () => void;
}

/** More as one scrolls, then by a button. */
export function LoadMore({ pages, loading, onMore }: LoadMoreProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const byScroll = pages < PAGES_BY_SCROLL;
  const more = useRef(onMore);
  more.current = onMore;

  useEffect(() => {
    if (!byScroll || loading || place.current === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) more.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [byScroll, loading]);

  return (
    <p ref={place} className="c more">
      <Button look="line" busy={loading} onClick={onMore}>
        Load more
      </Button>
    </p>
  );
}
