import { type ReactNode, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { classes } from '../../ui/classes.js';
import { useDismiss } from '../../ui/use-dismiss.js';

interface MenuButtonProps {
  /** What the button shows, and what a reader hears. */
  readonly face: ReactNode;
  readonly label: string;
  readonly className?: string;
  /** The list's items, each an `li`. */
  readonly children: ReactNode;
}

/** A button that shows a list of ways to go. It closes by Escape, by leaving it, and by going. */
export function MenuButton({ face, label, className, children }: MenuButtonProps) {
  const { key } = useLocation();
  /** The visit during which it was opened: on the next page it is closed. */
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === key;
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useDismiss(box, open, (byKey) => {
    setOpenedAt(undefined);
    if (byKey) button.current?.focus();
  });
  return (
    <div ref={box} className="menubox menubtn">
      <button
        ref={button}
        type="button"
        className={classes('ib', className)}
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpenedAt(open ? undefined : key)}
      >
        {face}
      </button>
      {open && (
        <ul id={id} className="menu">
          {children}
        </ul>
      )}
    </div>
  );
}
