import { CircleCheck, CircleX, Info } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import { TOAST_MS, type ToastRequest } from './toast.js';
import { useHeld } from './use-held.js';

const signs = { ok: CircleCheck, err: CircleX, info: Info };

/** One toast. It waits while it is hovered or focused, and goes on counting after. */
export function ToastBody({
  kind,
  text,
  title,
  duration = TOAST_MS,
  action,
  onEnd,
}: ToastRequest & { readonly onEnd: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const held = useHeld(box);
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
    <div ref={box} className={classes('toast', kind !== 'info' && kind)}>
      <Icon of={signs[kind]} />
      <p className="grow">
        {title !== undefined && <b>{title}</b>}
        {text}
      </p>
      {action && (
        <button
          type="button"
          className="link plain"
          onClick={() => {
            action.onPress();
            onEnd();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}
