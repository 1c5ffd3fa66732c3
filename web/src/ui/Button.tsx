import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import * as styles from './Button.module.css';
import { classes } from './classes.js';
import { Icon, type IconSize } from './Icon.js';
import { Link } from './Link.js';

/**
 * buy: the next step towards paying, at most one on screen. pri: the main action elsewhere. line, tint,
 * ghost: secondary actions. soft: Single order in lists. safe: Yes, release. danger-line opens a question,
 * danger answers it.
 */
export type ButtonLook =
  | 'buy'
  | 'pri'
  | 'line'
  | 'tint'
  | 'ghost'
  | 'soft'
  | 'safe'
  | 'danger'
  | 'danger-line';

interface Look {
  readonly look?: ButtonLook;
  /** Height: s 40 px, m 44 px, l 52 px. l is for a page's one big action. */
  readonly size?: 's' | 'm' | 'l';
  readonly full?: boolean;
}

type ButtonProps = Look &
  ComponentProps<'button'> & {
    /** Shows that the press is being worked on. */ readonly busy?: boolean;
  };

/** Blocks a second click, and the form's Enter, which clicks its submit button. */
function preventClick(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * A button; its `type` is button unless given. While busy it keeps the focus, which a disabled button would
 * lose, and ignores presses.
 */
export function Button({
  look = 'pri',
  size = 'm',
  full,
  busy = false,
  className,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...rest}
      type={type}
      onClick={busy ? preventClick : onClick}
      data-look={look}
      data-size={size}
      className={classes(styles.button, full && styles.full, className)}
    />
  );
}

type ButtonLinkProps = Look & ComponentProps<typeof Link>;

/** A link that looks like a button. */
export function ButtonLink({
  look = 'pri',
  size = 'm',
  full,
  className,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link
      {...rest}
      data-look={look}
      data-size={size}
      className={classes(styles.button, full && styles.full, className)}
    />
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  readonly of: LucideIcon;
  /** The name for screen readers. */
  readonly label: string;
  readonly iconSize?: IconSize;
};

/** A square button of 44 px that shows only an icon. */
export function IconButton({ of, label, iconSize = 'm', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(styles.iconButton, className)}
      aria-label={label}
    >
      <Icon of={of} size={iconSize} />
    </button>
  );
}
