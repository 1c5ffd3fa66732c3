import * as buttonStyles from './Button.module.css';
import * as layout from './layout.module.css';
import * as styles from './Switch.module.css';

interface SwitchProps {
  readonly on: boolean;
  readonly onTurn: () => void;
  /** The labels of the two states; a press changes the state. */
  readonly labels: readonly [on: string, off: string];
  /** What is switched, for screen readers: the product's name. */
  readonly of?: string;
  /** The last press is being worked on: the switch keeps the focus and ignores presses. */
  readonly busy?: boolean;
  /** Shows the state, but cannot be changed. */
  readonly locked?: boolean;
}

/**
 * A switch whose word is the state, such as Available and Unavailable. For screen readers it is a plain button: a
 * `switch` adds on or off, and 'Unavailable, off' would say the opposite of what is meant.
 */
export function Switch({ on, onTurn, labels, of, busy = false, locked = false }: SwitchProps) {
  return (
    <button
      type="button"
      data-size="s"
      className={`${buttonStyles.button} ${styles.switch}`}
      data-on={on}
      aria-disabled={busy || locked || undefined}
      onClick={({ detail }) => {
        // Ignores the second click of a double click: it was meant for the state before the first.
        if (!busy && !locked && detail < 2) onTurn();
      }}
    >
      {labels[on ? 0 : 1]}
      {of !== undefined && <span className={layout.visuallyHidden}>, {of}</span>}
    </button>
  );
}
