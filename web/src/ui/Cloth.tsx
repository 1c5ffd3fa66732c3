import type { ElementType, ReactNode } from 'react';
import { classes } from './classes.js';
import type { Motif } from './motif.js';

interface ClothProps {
  readonly as?: ElementType;
  /** One of the eight, or the quilt of all. */
  readonly motif?: Motif | 'quilt';
  readonly className?: string;
  readonly children?: ReactNode;
}

/** Indigo cloth with its motif in resist. Text on it stands on a plaque of plain cloth, never on the pattern. */
export function Cloth({ as: Tag = 'div', motif = 'quilt', className, children }: ClothProps) {
  return <Tag className={classes('cloth', motif !== 'quilt' && motif, className)}>{children}</Tag>;
}

/** The woven edge at the very top of every page that has a header. */
export function Selvedge() {
  return <div className="selvedge cloth" />;
}
