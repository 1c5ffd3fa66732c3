import { CircleCheck, CircleX, Info } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import * as buttonStyles from './Button.module.css';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import * as layout from './layout.module.css';
import * as styles from './Toaster.module.css';
import { TOAST_MS, type ToastRequest, takeToasts } from './toast.js';
import { useHoverOrFocus } from './use-hover-or-focus.js';

/** Of toast.css, which knows how high the header is. */
const UNDER_HEADER = { top: 'var(--toast-top)' };

/**
 * Top centre under the header. The list is a polite live region and stands in the page before anything is said, so
 * that readers hear the first toast too. Loaded after first paint.
 */
export default function Toaster({ onFocusLost }: Pick<ToastBodyProps, 'onFocusLost'>) {
  const lost = useRef(onFocusLost);
  lost.current = onFocusLost;
  useEffect(
    () =>
      takeToasts((request) => {
        sonner.custom(
          (id) => (
            <ToastBody
              {...request}
              onEnd={() => sonner.dismiss(id)}
              onFocusLost={() => lost.current()}
            />
          ),
          /** The body keeps the time, since only it knows of focus. */
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
    />
  );
}

const signs = { ok: CircleCheck, err: CircleX, info: Info };

interface ToastBodyProps extends ToastRequest {
  readonly onEnd: () => void;
  /** Its action was pressed, and what had the focus before it is gone. */
  readonly onFocusLost: () => void;
}

/** One toast. It waits while it is hovered or focused, and goes on counting after. */
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
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    if (held) return;
    const from = Date.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - from;
    };
  }, [held]);

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
            // The toaster gives the focus back to where it came from, if that still stands.
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
