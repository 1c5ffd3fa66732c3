import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import * as styles from './Timeline.module.css';

export interface TimelineStep {
  readonly id: string;
  readonly icon: LucideIcon;
  /** ok: money released. bad: a problem. todo: still to happen. */
  readonly tone?: 'ok' | 'bad' | 'todo';
  readonly title: ReactNode;
  /** When and by whom. */
  readonly detail?: ReactNode;
}

const tones = { ok: styles.ok, bad: styles.bad, todo: styles.todo };

/** Who did what, when. Pass the steps newest first. */
export function Timeline({
  steps,
  label,
}: {
  readonly steps: readonly TimelineStep[];
  readonly label: string;
}) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {steps.map(({ id, icon, tone, title, detail }) => (
        <li key={id}>
          <span className={classes(styles.point, tone && tones[tone])}>
            <Icon of={icon} size="s" />
          </span>
          <b>{title}</b>
          {detail !== undefined && <span>{detail}</span>}
        </li>
      ))}
    </ol>
  );
}
