import { ArrowLeft, X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, type ButtonLook, IconButton } from './Button.js';
import { classes } from './classes.js';
import * as styles from './Dialog.module.css';
import { focusHeadingIfLost } from './focus.js';
import * as layout from './layout.module.css';

/**
 * For so long after a dialog has opened, was clicked or has closed, in ms, another click at the same place is part of a
 * double click.
 */
const DOUBLE_CLICK_MS = 500;
/** How far apart the two may be, in CSS pixels. */
const SAME_PLACE_PX = 10;

interface Click {
  readonly x: number;
  readonly y: number;
  /** In milliseconds, as `performance.now()`. */
  readonly at: number;
  /** What was clicked, in the dialog. */
  readonly on?: Element | undefined;
}

/** Whether a click of the mouse or a finger may be the second of a double click. One from the keyboard has the detail 0. */
function mayRepeat(
  { x, y, at }: Click,
  { detail, clientX, clientY }: Pick<MouseEvent, 'detail' | 'clientX' | 'clientY'>,
): boolean {
  if (detail === 0 || performance.now() - at > DOUBLE_CLICK_MS) return false;
  return Math.max(Math.abs(clientX - x), Math.abs(clientY - y)) <= SAME_PLACE_PX;
}

/** Where the mouse or a finger clicked last. */
let clicked = { x: Number.NaN, y: Number.NaN };
/** The click that has closed a dialog. */
let closing: Click = { ...clicked, at: 0 };
if (typeof document !== 'undefined')
  document.addEventListener(
    'click',
    (event) => {
      const { detail, clientX: x, clientY: y } = event;
      // The second click of a double click was meant for the dialog, not for what lay below it.
      if (mayRepeat(closing, event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (detail > 0) clicked = { x, y };
    },
    true,
  );

/** The control that a click hit, whichever of its icons or words was hit, else what was hit itself. */
const controlAt = (target: EventTarget | null): Element | undefined =>
  target instanceof Element ? (target.closest('button, a, label') ?? target) : undefined;

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Shows a Back button at the left, in pickers of two levels. */
  readonly onBack?: (() => void) | undefined;
  /** A second action beside the Close button. */
  readonly headAction?: ReactNode;
  readonly foot?: ReactNode;
  /** Fills the phone from top to bottom. */
  readonly full?: boolean;
  /** Without the Close button; Escape still calls `onClose`. */
  readonly plain?: boolean;
  /** Something is being sent whose answer must be seen: until then nothing that is pressed calls `onClose`. */
  readonly busy?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A native modal dialog: from the bottom on phones, centred from 768 px. Gives the focus back when it closes, or to the
 * page's heading if what had it is gone. The second click of a double click does nothing where the first has opened the
 * dialog, or has put something else into its place: it was meant for what is gone, and might confirm, unread, what this
 * dialog asks. Nor does it where the first has closed the dialog.
 */
export function Dialog({
  open,
  onClose,
  title,
  onBack,
  headAction,
  foot,
  full,
  plain,
  busy = false,
  className,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** The click that opened the dialog, or the last one in it. */
  const before = useRef<Click>({ ...clicked, at: 0 });

  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || !open) return;
    const focused = document.activeElement;
    before.current = { ...clicked, at: performance.now() };
    if (!dialog.open) dialog.showModal();
    return () => {
      if (before.current.on !== undefined) closing = { ...before.current, at: performance.now() };
      dialog.close();
      if (focused instanceof HTMLElement && focused.isConnected)
        focused.focus({ preventScroll: true });
      else focusHeadingIfLost();
    };
  }, [open]);

  if (!open) return null;
  const dismiss = () => {
    if (!busy) onClose();
  };
  const isSecondClick = (event: MouseEvent) => {
    const { on } = before.current;
    const isSame = on !== undefined && on === controlAt(event.target);
    return !isSame && mayRepeat(before.current, event);
  };
  const noteClick = ({ clientX: x, clientY: y, target }: MouseEvent) => {
    before.current = { x, y, at: performance.now(), on: controlAt(target) };
  };
  const onScrim = (event: MouseEvent) => {
    if (isSecondClick(event)) return;
    const { target, currentTarget, clientX, clientY } = event;
    const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
    // The dialog's own scrollbar is within it, and has no other target.
    const within = clientX >= left && clientX < right && clientY >= top && clientY < bottom;
    if (target !== currentTarget || within) return;
    noteClick(event);
    dismiss();
  };
  return (
    <dialog
      ref={ref}
      className={classes(styles.dialog, full && styles.fullHeight, className)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      // Chrome lets nobody prevent a second Escape in a row.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal();
      }}
      onMouseDown={onScrim}
      onClickCapture={(event) => {
        if (isSecondClick(event)) {
          event.preventDefault();
          event.stopPropagation();
        } else if (event.detail > 0) noteClick(event);
      }}
    >
      <div className={styles.head}>
        {onBack && <IconButton of={ArrowLeft} label="Back" onClick={onBack} />}
        <h2 id={titleId}>{title}</h2>
        {headAction}
        {!plain && (
          <IconButton of={X} label="Close" aria-disabled={busy || undefined} onClick={dismiss} />
        )}
      </div>
      <div className={styles.body}>{children}</div>
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </dialog>
  );
}

interface ConfirmButtonsProps {
  /** Label of the button that changes nothing, in the words of the question: 'Keep it'. */
  readonly no: string;
  readonly onNo: () => void;
  readonly onYes: () => void;
  readonly look?: ButtonLook;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Label of the button that acts, beginning with a verb. */
  readonly children: ReactNode;
}

/** The footer of a confirmation dialog: cancel at the left, the action at the right. */
export function ConfirmButtons({
  no,
  onNo,
  onYes,
  look = 'danger',
  busy = false,
  children,
  ...state
}: ConfirmButtonsProps) {
  return (
    <div className={`${layout.row} ${layout.wrap}`}>
      <Button look="line" className={layout.grow} busy={busy} onClick={onNo}>
        {no}
      </Button>
      <Button look={look} className={layout.grow} busy={busy} onClick={onYes} {...state}>
        {children}
      </Button>
    </div>
  );
}
