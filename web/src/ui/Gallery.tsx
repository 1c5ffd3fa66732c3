import { ChevronLeft, ChevronRight, ZoomIn } from 'lucide-react';
import { type ReactNode, type TouchEvent, useRef, useState } from 'react';
import { classes } from './classes.js';
import * as styles from './Gallery.module.css';
import { Icon } from './Icon.js';
import * as layout from './layout.module.css';
import { useLazyDialog } from './lazy.js';
import { Picture } from './Picture.js';

/** A finger that moves less than this has tapped, not swiped. In px. */
const SWIPE_PX = 40;

/** Whether fingers have enlarged the page. */
const isPageEnlarged = () => (globalThis.visualViewport?.scale ?? 1) > 1;

const loadZoom = () => import('./Zoom.js');

interface GalleryProps {
  readonly urls: readonly string[];
  /** The product's name, for the alternative texts. */
  readonly name: string;
}

/** The frame of the large picture, for a product that is still loading. */
export function GalleryFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.gallery}>
      <div className={styles.picture}>{children}</div>
    </div>
  );
}

/** A product's pictures: a large one with n/total and arrows, and thumbnails of all. On phones it can be swiped. */
export function Gallery({ urls, name }: GalleryProps) {
  const [chosen, setChosen] = useState(0);
  const { Opened: Zoom, open: enlarge, close } = useLazyDialog(loadZoom);
  const touchedAt = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const total = urls.length;
  const at = Math.min(chosen, Math.max(0, total - 1));
  const go = (by: number) => setChosen((at + by + total) % total);
  /** Two fingers enlarge the page, and on an enlarged page one moves it about: neither turns the picture. */
  const touched = ({ touches }: TouchEvent) => {
    const finger = touches.length > 1 || isPageEnlarged() ? undefined : touches[0];
    touchedAt.current = finger && { x: finger.clientX, y: finger.clientY };
  };
  /** A finger that moves more along the page than across it is scrolling: then the picture stays. */
  const swiped = ({ changedTouches }: TouchEvent) => {
    const finger = changedTouches[0];
    const start = touchedAt.current;
    if (finger === undefined || start === undefined || total < 2) return;
    const across = finger.clientX - start.x;
    const along = finger.clientY - start.y;
    if (Math.abs(across) < SWIPE_PX || Math.abs(across) <= Math.abs(along)) return;
    go(across < 0 ? 1 : -1);
  };

  return (
    <section className={styles.gallery} aria-label="Pictures">
      <div className={styles.picture} onTouchStart={touched} onTouchEnd={swiped}>
        <Picture
          url={urls[at]}
          alt={`${name}, picture ${at + 1}`}
          width={640}
          eager
          sizes="(min-width: 768px) 600px, 100vw"
        />
        {total > 0 && (
          <button
            type="button"
            className={styles.enlarge}
            aria-label="Enlarge the picture"
            aria-haspopup="dialog"
            onClick={enlarge}
          >
            <Icon of={ZoomIn} />
          </button>
        )}
        <span className={classes(styles.counter, layout.figures)} role="status">
          <span className={layout.visuallyHidden}>Picture </span>
          {total === 0 ? 0 : at + 1}/{total}
        </span>
        {total > 1 && (
          <>
            <button
              type="button"
              className={classes(styles.turn, styles.back)}
              aria-label="Previous picture"
              onClick={() => go(-1)}
            >
              <Icon of={ChevronLeft} />
            </button>
            <button
              type="button"
              className={classes(styles.turn, styles.on)}
              aria-label="Next picture"
              onClick={() => go(1)}
            >
              <Icon of={ChevronRight} />
            </button>
          </>
        )}
      </div>
      {total > 1 && (
        <ul className={styles.thumbs}>
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
      {Zoom && <Zoom urls={urls} name={name} at={at} onTurn={go} onClose={close} />}
    </section>
  );
}
