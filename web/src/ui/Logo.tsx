import { pagePaths } from '@oja/contracts/pages';
import { classes } from './classes.js';
import { Link } from './Link.js';
import * as styles from './Logo.module.css';

/** The twelve dots of the dyed ring around the O. */
const dots = [
  [37.52, 25.62],
  [33.9, 31.9],
  [27.62, 35.52],
  [20.38, 35.52],
  [14.1, 31.9],
  [10.48, 25.62],
  [10.48, 18.38],
  [14.1, 12.1],
  [20.38, 8.48],
  [27.62, 8.48],
  [33.9, 12.1],
  [37.52, 18.38],
] as const;

interface LogoProps {
  /** White on cloth instead of indigo on paper. */
  readonly onCloth?: boolean;
}

/** The market's logo, as a link home. */
export function Logo({ onCloth = false }: LogoProps) {
  return (
    <Link
      to={pagePaths.home}
      className={classes(styles.logo, onCloth && styles.onCloth)}
      aria-label="Oja, home"
    >
      <svg viewBox="0 0 92 56" aria-hidden="true">
        <circle cx="24" cy="22" r="14" fill="none" stroke="currentColor" strokeWidth="10" />
        <g className={styles.dye}>
          {dots.map(([cx, cy]) => (
            <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r="1.35" />
          ))}
        </g>
        <circle className={styles.seed} cx="24" cy="48.5" r="4.5" />
        <g transform="translate(-4 0)">
          <g fill="none" stroke="currentColor" strokeWidth="8">
            <path d="M56.5 15v25.5c0 5-2.700 8-8 8" />
            <circle cx="77" cy="27.5" r="9.5" />
            <path d="M88 14v27" />
          </g>
          <circle cx="56.5" cy="6.8" r="4.6" fill="currentColor" />
        </g>
      </svg>
    </Link>
  );
}
