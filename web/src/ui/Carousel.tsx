import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { IconButton } from './Button.js';
import * as styles from './Carousel.module.css';
import type { CarouselApi } from './CarouselDriver.js';
import { classes } from './classes.js';
import * as layout from './layout.module.css';
import { AfterPaint, lazyOptional } from './lazy.js';
import { useReducedMotion } from './use-browser.js';

/** The moving part is loaded after the first paint; until then the rail scrolls and snaps natively. */
const Driver = lazyOptional(() => import('./CarouselDriver.js'));

interface CarouselProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly children: (item: T, place: number) => ReactNode;
}

/**
 * Products that move past, one to four in view depending on the width. It advances every 2 s, stops while the
 * pointer is over it, while it contains the focus or when paused, and starts paused where reduced motion is
 * asked for. It continues after a touch.
 */
export function Carousel<T>({ title, items, keyOf, children }: CarouselProps<T>) {
  const box = useRef<HTMLElement>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const still = useReducedMotion();
  const [pausedBy, setPausedBy] = useState<boolean>();
  const paused = pausedBy ?? still;
  const [api, setApi] = useState<CarouselApi>();
  const [place, setPlace] = useState(1);
  const count = Math.max(1, api?.scrollSnapList().length ?? items.length);
  /** Memoized: rebuilt only when the items change, not each time the carousel moves. */
  const slides = useMemo(
    () =>
      items.map((item, i) => (
        <li key={keyOf(item)} className={styles.slide} aria-label={`${i + 1} of ${items.length}`}>
          {children(item, i)}
        </li>
      )),
    [items, keyOf, children],
  );

  return (
    <section
      className={`${layout.page} ${layout.section}`}
      aria-roledescription="carousel"
      aria-label={title}
      ref={box}
    >
      <div className={layout.sectionHead}>
        <h2>{title}</h2>
        <div className={styles.controls}>
          <span className={layout.figures}>
            {Math.min(place, count)} of {count}
          </span>
          <IconButton
            of={paused ? Play : Pause}
            iconSize="s"
            label={paused ? 'Play' : 'Pause'}
            onClick={() => setPausedBy(!paused)}
          />
          <IconButton
            of={ChevronLeft}
            className={layout.onlyWide}
            label="Previous"
            onClick={() => api?.scrollPrev()}
          />
          <IconButton
            of={ChevronRight}
            className={layout.onlyWide}
            label="Next"
            onClick={() => api?.scrollNext()}
          />
        </div>
      </div>
      <div
        ref={viewport}
        data-moving={api !== undefined || undefined}
        className={classes(styles.viewport, api !== undefined && styles.moving)}
      >
        <ul className={styles.rail}>{slides}</ul>
      </div>
      <AfterPaint>
        <Driver {...{ box, viewport, paused }} onApi={setApi} onPlace={setPlace} />
      </AfterPaint>
    </section>
  );
}
