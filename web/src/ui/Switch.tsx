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
}

/** Available or Unavailable. */
export function Switch({ on, onTurn, words, of, busy = false }: SwitchProps) {
  return (
    <button
      type="button"
      data-size="s"
      className={`${buttonStyles.button} ${styles.switch}`}
      role="switch"
      aria-checked={on}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onTurn}
    >
      {words[on ? 0 : 1]}
      {of !== undefined && <span className={layout.visuallyHidden}>, {of}</span>}
    </button>
  );
}
