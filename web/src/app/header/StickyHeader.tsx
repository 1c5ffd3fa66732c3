import { WifiOff } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Selvedge } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { useOnline, useScrolled } from '../../ui/use-browser.js';
import * as styles from './header.module.css';

/** The scroll distance in px from which the header sticks. */
export const STICKY_FROM_PX = 80;

/**
 * The header's frame: selvedge, bar, and the offline strip, which stays in sight. A stuck header leaves the
 * flow; the page gets the header's former height as its top margin, so nothing jumps.
 */
export function StickyHeader({
  wide = false,
  children,
}: {
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  const stuck = useScrolled(STICKY_FROM_PX);
  const bar = useRef<HTMLElement>(null);
  const [height, setHeight] = useState(0);

  useLayoutEffect(() => {
    const element = bar.current;
    if (stuck || element === null) return;
    const measure = () => setHeight(element.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stuck]);

  return (
    <>
      <Selvedge />
      <header
        ref={bar}
        data-stuck={stuck || undefined}
        className={classes(styles.header, stuck && styles.stuck)}
      >
        <div className={classes(layout.page, wide && layout.wide)}>
          <div data-header-bar className={styles.bar}>
            {children}
          </div>
        </div>
        <OfflineStrip />
      </header>
      <div style={{ marginTop: stuck ? height : 0 }} />
    </>
  );
}

/** The thin strip under the header on pages that go on working offline. */
export function OfflineStrip() {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className={styles.offlineStrip}>
          <Icon of={WifiOff} size="s" />
          You are offline
        </p>
      )}
    </div>
  );
}
