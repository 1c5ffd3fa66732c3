import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.js';
import { Icon, type IconSize } from './Icon.js';

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
    <button type="button" {...rest} className={classes('ib', className)} aria-label={label}>
      <Icon of={of} size={iconSize} />
      {children}
    </button>
  );
}
