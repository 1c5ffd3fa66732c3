import type { CSSProperties, ReactNode } from 'react';
import { classes } from './classes.js';
import { motifOf } from './motif.js';

interface SellerSwatchProps {
  readonly sellerId: string;
  /** Edge in px. */
  readonly size?: number;
  /** Initials on a large swatch. */
  readonly children?: ReactNode;
  readonly className?: string;
}

/** A piece of the seller's cloth: their picture on cards, store, cart and admin lists. */
export function SellerSwatch({ sellerId, size = 18, children, className }: SellerSwatchProps) {
  const width: CSSProperties & Record<'--w', string> = { '--w': `${size}px` };
  return (
    <span
      className={classes('swatch cloth', motifOf(sellerId), className)}
      style={width}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
