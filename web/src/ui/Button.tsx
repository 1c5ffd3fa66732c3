import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import * as styles from './Button.module.css';
import { classes } from './classes.js';
import { Icon, type IconSize } from './Icon.js';

/**
 * buy: the next step towards paying, one in sight. pri: the main act elsewhere. line, tint, ghost: second acts.
 * soft: single order in lists. safe: Yes, release. danger-line asks first, then danger.
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
  /** s: 40 px, m: 44 px, l: 52 px, for a page's one big act. */
  readonly size?: 's' | 'm' | 'l';
  readonly full?: boolean;
}

type ButtonProps = Look &
  ComponentProps<'button'> & {
    /** Says that the press is being worked on. */ readonly busy?: boolean;
  };

/** Neither a second click nor the form's Enter, which presses its button, goes through. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * A button; `type` is button unless said otherwise. While busy it stays in place, keeps the focus, which a disabled one
 * loses, and takes no second press.
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
      {...rest}
      type={type}
      onClick={busy ? refuse : onClick}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
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

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  readonly of: LucideIcon;
  /** The name a reader hears. */
  readonly label: string;
  readonly iconSize?: IconSize;
  /** A count or dot over the sign. */
  readonly children?: ReactNode;
};

/** A square button of 44 px with a sign alone. */
export function IconButton({
  of,
  label,
  iconSize = 'm',
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(styles.iconButton, className)}
      aria-label={label}
    >
      <Icon of={of} size={iconSize} />
      {children}
    </button>
  );
}
