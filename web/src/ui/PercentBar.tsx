import type { CSSProperties } from 'react';
import styles from './PercentBar.module.css';

interface PercentBarProps {
  /** 0 to 100. */
  readonly value: number;
  readonly label: string;
}

/** How far something is, with the selvedge running in it and the figure in words below. */
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
        <i className="cloth" />
      </div>
      <p className="num c" aria-hidden="true">
        {percent}% complete
      </p>
    </div>
  );
}
