import * as layout from './layout.module.css';
import * as styles from './Spinner.module.css';

interface SpinnerProps {
  readonly label?: string;
  /** Covers the whole page, so that nothing else can be pressed. */
  readonly overlay?: boolean;
}

/** A turning ring, for the few waits without a skeleton. */
export function Spinner({ label = 'Loading', overlay = false }: SpinnerProps) {
  return (
    <div className={overlay ? `${styles.spinner} ${styles.overlay}` : styles.spinner} role="status">
      <i aria-hidden="true" />
      <span className={layout.visuallyHidden}>{label}</span>
    </div>
  );
}
