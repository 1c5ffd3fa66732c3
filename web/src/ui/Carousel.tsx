import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from './Button.js';
import * as styles from './Carousel.module.css';
import type { CarouselApi } from './CarouselDriver.js';
import { classes } from './classes.js';
import * as layout from './layout.module.css';
import { useAfterPaint, useHoverOrFocus, useReducedMotion } from './use-browser.js';

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
  const viewport = useRef<HTMLDivElement>(null);
  const [api, setApi] = useState<CarouselApi>();
  const box = useRef<HTMLElement>(null);
  const held = useHoverOrFocus(box);
  const painted = useAfterPaint();
  const { place, count, paused, setPaused } = useCarousel(api, {
    held,
    items: items.length,
  });
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
            {place} of {count}
          </span>
          <IconButton
            of={paused ? Play : Pause}
            iconSize="s"
            label={paused ? 'Play' : 'Pause'}
            onClick={() => setPaused(!paused)}
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
          <Driver viewport={viewport} onApi={setApi} />
        </Suspense>
      )}
    </section>
  );
}

interface Holding {
  /** Under the pointer, or something in it has focus. */
  readonly held: boolean;
  readonly items: number;
}

/** Whether a carousel moves, and where it is. */
function useCarousel(api: CarouselApi, { held, items }: Holding) {
  const still = useReducedMotion();
  const [pausedBy, setPausedBy] = useState<boolean>();
  const [place, setPlace] = useState(1);
  const paused = pausedBy ?? still;
  const moving = !paused && !held;

  useEffect(() => {
    if (api === undefined) return;
    const autoplay = api.plugins().autoplay;
    // Where all goods are in view at once there is nowhere to go, and the plug-in was never begun.
    const apply = () => {
      if (api.scrollSnapList().length < 2) return;
      if (moving) autoplay?.play(still);
      else autoplay?.stop();
    };
    apply();
    api.on('pointerUp', apply).on('reInit', apply);
    return () => {
      api.off('pointerUp', apply).off('reInit', apply);
    };
  }, [api, moving, still]);

  useEffect(() => {
    if (api === undefined) return;
    const selected = () => setPlace(api.selectedScrollSnap() + 1);
    selected();
    api.on('select', selected).on('reInit', selected);
    return () => {
      api.off('select', selected).off('reInit', selected);
    };
  }, [api]);

  const count = Math.max(1, api?.scrollSnapList().length ?? items);
  return { place: Math.min(place, count), count, paused, setPaused: setPausedBy };
}
