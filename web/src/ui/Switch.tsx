import * as buttonStyles from './Button.module.css';
import * as layout from './layout.module.css';
import * as styles from './Switch.module.css';

interface SwitchProps {
  readonly on: boolean;
  readonly onTurn: () => void;
  /** The words are the state; pressing turns it. */
  readonly words: readonly [on: string, off: string];
  /** What is switched, for readers: the product's name. */
  readonly of?: string;
  /** The last press is being worked on: it keeps the focus and takes no second one. */
  readonly busy?: boolean;
  /** It shows how it stands, and cannot be turned. */
  readonly locked?: boolean;
}

/** Available or Unavailable. */
export function Switch({ on, onTurn, words, of, busy = false, locked = false }: SwitchProps) {
  return (
    <button
      type="button"
      data-size="s"
      className={`${buttonStyles.button} ${styles.switch}`}
      role="switch"
      aria-checked={on}
      aria-disabled={busy || locked || undefined}
      onClick={({ detail }) => {
        // The second press of a double click is meant for what stood there before the first.
        if (!busy && !locked && detail < 2) onTurn();
      }}
    >
      {words[on ? 0 : 1]}
      {of !== undefined && <span className={layout.visuallyHidden}>, {of}</span>}
    </button>
  );
}
