import { CircleCheck, CircleX, Info } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import * as buttonStyles from './Button.module.css';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import * as layout from './layout.module.css';
import * as styles from './Toaster.module.css';
import { registerToaster, TOAST_MS, type ToastRequest } from './toast.js';
import { useHoverOrFocus } from './use-hover-or-focus.js';

/** Set in Toaster.module.css, and raised in header.module.css for headers with a search row. */
const UNDER_HEADER = { top: 'var(--toast-top)' };

/**
 * The toasts, top centre below the header. The list is a polite live region that is in the page before the
 * first toast, so that screen readers announce that one too. Loaded after the first paint.
 */
export default function Toaster({ onFocusLost }: Pick<ToastBodyProps, 'onFocusLost'>) {
  const lost = useRef(onFocusLost);
  lost.current = onFocusLost;
  useEffect(
    () =>
      registerToaster((request) => {
        sonner.custom(
          (id) => (
            <ToastBody
              {...request}
              onEnd={() => sonner.dismiss(id)}
              onFocusLost={() => lost.current()}
            />
          ),
          /** ToastBody runs the timer, since only it knows about hover and focus. */
          { duration: Number.POSITIVE_INFINITY },
        );
      }),
    [],
  );
  return (
    <Sonner
      position="top-center"
      offset={UNDER_HEADER}
      mobileOffset={UNDER_HEADER}
      containerAriaLabel="Messages"
      gap={10}
      // One below the other: laid over each other, a short one would hide half of a long one's text.
      expand
    />
  );
}

const signs = { ok: CircleCheck, err: CircleX, info: Info };

interface ToastBodyProps extends ToastRequest {
  readonly onEnd: () => void;
  /** The action was pressed, and the element that had the focus before is gone. */
  readonly onFocusLost: () => void;
}

/**
 * One toast. Its timer pauses while it is hovered or focused. With an action, it starts anew at each Tab: by the keyboard,
 * the rest of the page may lie before the button.
 */
export function ToastBody({
  kind,
  text,
  title,
  duration = TOAST_MS,
  action,
  onEnd,
  onFocusLost,
}: ToastBodyProps) {
  const box = useRef<HTMLDivElement>(null);
  const held = useHoverOrFocus(box);
  const left = useRef(duration);
  const end = useEffectEvent(onEnd);
  const canAct = action !== undefined;

  useEffect(() => {
    if (held) return;
    let from = Date.now();
    let timer = setTimeout(() => end(), left.current);
    const startAnew = ({ key }: KeyboardEvent) => {
      if (!canAct || key !== 'Tab') return;
      clearTimeout(timer);
      from = Date.now();
      left.current = duration;
      timer = setTimeout(() => end(), duration);
    };
    document.addEventListener('keydown', startAnew);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - from;
      document.removeEventListener('keydown', startAnew);
    };
  }, [held, canAct, duration]);

  return (
    <div
      ref={box}
      data-toast={kind}
      className={classes(styles.toast, kind === 'ok' && styles.ok, kind === 'err' && styles.error)}
    >
      <Icon of={signs[kind]} />
      <p className={layout.grow}>
        {title !== undefined && <b>{title}</b>}
        {text}
      </p>
      {action && (
        <button
          type="button"
          className={`${layout.link} ${buttonStyles.plainLink} ${styles.action}`}
          onClick={({ currentTarget }) => {
            flushSync(action.onPress);
            onEnd();
            // On blur the toaster returns the focus to where it was, if that element still exists.
            currentTarget.blur();
            if (document.activeElement === document.body) onFocusLost();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}
