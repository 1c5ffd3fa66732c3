import type { CSSProperties } from 'react';
import * as clothStyles from './Cloth.module.css';
import * as layout from './layout.module.css';
import * as styles from './PercentBar.module.css';

interface PercentBarProps {
  /** 0 to 100. */
  readonly value: number;
  readonly label: string;
}

/** A progress bar with the selvedge pattern, and the percentage below. */
export function PercentBar({ value, label }: PercentBarProps) {
  const percent = Math.round(Math.min(100, Math.max(0, value)));
  const width: CSSProperties & Record<'--v', string> = { '--v': `${percent}%` };
  return (
    <div>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        style={width}
      >
        <i className={clothStyles.cloth} />
      </div>
      <p className={`${layout.figures} ${layout.centered}`} aria-hidden="true">
        {percent}% complete
      </p>
    </div>
  );
}
