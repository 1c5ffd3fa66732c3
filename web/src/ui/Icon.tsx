import type { LucideIcon } from 'lucide-react';
import { classes } from './classes.js';
import * as styles from './Icon.module.css';

export type IconSize = 'xs' | 's' | 'm' | 'l';

interface IconProps {
  /** A lucide-react icon, imported by name so that only this one is bundled. */
  readonly of: LucideIcon;
  /** 14, 16, 20 or 24 px. */
  readonly size?: IconSize;
  /** The name for screen readers. Left out beside a word: then the icon is hidden from them. */
  readonly label?: string;
  readonly className?: string | undefined;
}

/** A stroked icon in the colour of its text. */
export function Icon({ of: Sign, size = 'm', label, className }: IconProps) {
  const named =
    label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return <Sign className={classes(styles.icon, className)} data-size={size} {...named} />;
}
