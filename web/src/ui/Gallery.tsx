import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type TouchEvent, useRef, useState } from 'react';
import '../styles/parts/gallery.css';
import { Icon } from './Icon.js';
import { Picture } from './Picture.js';

/** A finger that moves less than this many px has tapped, not swiped. */
const SWIPE_PX = 40;

interface GalleryProps {
  readonly urls: readonly string[];
  /** The product's name: the pictures are of it. */
  readonly name: string;
}

/** A product's pictures: one large with n/total and arrows, the others as thumbs; swiped on phones. */
export function Gallery({ urls, name }: GalleryProps) {
  const [chosen, setChosen] = useState(0);
  const touchedAt = useRef(0);
  const total = urls.length;
  const at = Math.min(chosen, Math.max(0, total - 1));
  const go = (by: number) => setChosen((at + by + total) % total);
  const swiped = (event: TouchEvent) => {
    const moved = (event.changedTouches[0]?.clientX ?? touchedAt.current) - touchedAt.current;
    if (total > 1 && Math.abs(moved) >= SWIPE_PX) go(moved < 0 ? 1 : -1);
  };

  return (
    <section className="gal" aria-label="Pictures">
      <div
        className="gmain"
        onTouchStart={(event) => {
          touchedAt.current = event.touches[0]?.clientX ?? 0;
        }}
        onTouchEnd={swiped}
      >
        <Picture
          url={urls[at]}
          alt={`${name}, picture ${at + 1}`}
          width={640}
          eager
          sizes="(min-width: 768px) 600px, 100vw"
        />
        <span className="counter num" role="status">
          <span className="vh">Picture </span>
          {total === 0 ? 0 : at + 1}/{total}
        </span>
        {total > 1 && (
          <>
            <button
              type="button"
              className="gbtn l"
              aria-label="Previous picture"
              onClick={() => go(-1)}
            >
              <Icon of={ChevronLeft} />
            </button>
            <button
              type="button"
              className="gbtn r"
              aria-label="Next picture"
              onClick={() => go(1)}
            >
              <Icon of={ChevronRight} />
            </button>
          </>
        )}
      </div>
      {total > 1 && (
        <ul className="thumbs">
          {urls.map((url, i) => (
            <li key={url}>
              <button
                type="button"
                aria-current={i === at || undefined}
                aria-label={`Picture ${i + 1}`}
                onClick={() => setChosen(i)}
              >
                <Picture url={url} alt="" width={84} sizes="84px" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
