import { Check } from 'lucide-react';
import { classes } from './classes.js';
import { orderSteps } from './EscrowNotice.js';
import { Icon } from './Icon.js';
import * as styles from './Stepper.module.css';

interface StepperProps {
  /** The current step, from 1; 5 when all are done. */
  readonly current: number;
  readonly label?: string;
}

/** The progress of an order: done steps green, the current one indigo, later ones hollow. */
export function Stepper({ current, label = 'Order steps' }: StepperProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {orderSteps.map((step, i) => {
        const place = i + 1;
        const state = place < current ? 'done' : place === current ? 'now' : undefined;
        return (
          <li
            key={step}
            className={classes(state === 'done' && styles.done, state === 'now' && styles.now)}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <b>{state === 'done' ? <Icon of={Check} size="s" label="Done" /> : place}</b>
            {step}
          </li>
        );
      })}
    </ol>
  );
}
