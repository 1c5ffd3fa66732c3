import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { IconButton } from './Button.js';
import * as styles from './Carousel.module.css';
import type { CarouselApi } from './CarouselDriver.js';
import { classes } from './classes.js';
import * as layout from './layout.module.css';
import { useAfterPaint, useReducedMotion } from './use-browser.js';

/** The moving part is fetched once the page stands; until then the rail scrolls and snaps by itself. */
const Driver = lazy(() => import('./CarouselDriver.js'));

interface CarouselProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly children: (item: T, place: number) => ReactNode;
}

/**
 * Goods passing by, one to four in view by width. Moves on every 2 s; holds still under the pointer, while something
 * in it has focus, when paused, and always where less motion is asked for. It goes on after it was touched.
 */
export function Carousel<T>({ title, items, keyOf, children }: CarouselProps<T>) {
  const box = useRef<HTMLElement>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const painted = useAfterPaint();
  const still = useReducedMotion();
  const [pausedBy, setPausedBy] = useState<boolean>();
  const paused = pausedBy ?? still;
  const [api, setApi] = useState<CarouselApi>();
  const [place, setPlace] = useState(1);
  const count = Math.max(1, api?.scrollSnapList().length ?? items.length);
  /** Made anew with other goods only, and not each time they pass by. */
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
      {painted && (
        <Suspense>
          <Driver {...{ box, viewport, paused }} onApi={setApi} onPlace={setPlace} />
        </Suspense>
      )}
    </section>
  );
}
