import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import * as styles from './Badge.module.css';
import { classes } from './classes.js';
import { Icon } from './Icon.js';

/** safe: DELIVERED, Active. wait: Pending, Held. bad: Disputed, Suspended. ind: success, Sub-admin. grey: abandoned. */
type BadgeTone = 'safe' | 'wait' | 'bad' | 'ind' | 'grey';

const tones: Readonly<Record<BadgeTone, string | undefined>> = {
  safe: styles.safe,
  wait: styles.waiting,
  bad: styles.bad,
  ind: styles.indigo,
  grey: undefined,
};

interface BadgeProps {
  readonly tone?: BadgeTone;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

/** A badge. It always has a word, since colour alone must not carry meaning. */
export function Badge({ tone = 'grey', icon, children }: BadgeProps) {
  return (
    <span className={classes(styles.badge, tones[tone])}>
      {icon && <Icon of={icon} size="xs" />}
      {children}
    </span>
  );
}

/** How a status is shown. */
export interface StatusLook {
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
  readonly label: string;
}

/** The badge of a status. */
export function StatusBadge({ of: { tone, icon, label } }: { readonly of: StatusLook }) {
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
