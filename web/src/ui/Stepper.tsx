import { Check } from 'lucide-react';
import { Icon } from './Icon.js';
import styles from './Stepper.module.css';

/** The way of every order; the cart is step 1. */
export const orderSteps = ['Order', 'Pay', 'Deliver', 'Confirm'] as const;

interface StepperProps {
  /** The step being taken, from 1; 5 when all are done. */
  readonly now: number;
  readonly steps?: readonly string[];
  readonly label?: string;
}

/** Where an order stands: done green, now indigo, next hollow. */
export function Stepper({ now, steps = orderSteps, label = 'Order steps' }: StepperProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, i) => {
        const place = i + 1;
        const state = place < now ? 'done' : place === now ? 'now' : undefined;
        return (
          <li
            key={step}
            className={state && styles[state]}
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
