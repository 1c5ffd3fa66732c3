import type { CategoryName } from '@oja/domain/rules';
import type { CSSProperties, ElementType, ReactNode } from 'react';
import * as styles from './Cloth.module.css';
import { classes } from './classes.js';

/** The eight motifs. Their order decides which seller gets which. */
const motifs = ['moon', 'comb', 'leaf', 'lozenge', 'water', 'seeds', 'drum', 'steps'] as const;
export type Motif = (typeof motifs)[number];

/** The motif by which shoppers recognize a seller: FNV-1a of the id modulo the motifs, the same everywhere. */
export function motifOf(sellerId: string): Motif {
  let hash = 0x811c9dc5;
  for (let i = 0; i < sellerId.length; i += 1) {
    hash ^= sellerId.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return motifs[hash % motifs.length] ?? 'moon';
}

/** The motif of each category. */
export const categoryMotif: Readonly<Record<CategoryName, Motif>> = {
  Electronics: 'comb',
  Fashion: 'moon',
  'Beauty and Skincare': 'leaf',
  'Phones and Laptop': 'lozenge',
};

interface ClothProps {
  readonly as?: ElementType;
  /** One of the eight, or the quilt of all. */
  readonly motif?: Motif | 'quilt';
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** Indigo cloth with its motif in the resist colour. Text must stand on a plain patch, never on the pattern. */
export function Cloth({ as: Tag = 'div', motif = 'quilt', className, children }: ClothProps) {
  return (
    <Tag className={classes(styles.cloth, className)} data-motif={motif}>
      {children}
    </Tag>
  );
}

/** The woven edge at the very top of every page that has a header. */
export function Selvedge() {
  return <div className={`${styles.selvedge} ${styles.cloth}`} />;
}

interface SellerSwatchProps {
  readonly sellerId: string;
  /** Edge length in px. */
  readonly size?: number;
  /** Initials, on a large swatch. */
  readonly children?: ReactNode;
}

/** A piece of the seller's cloth: their picture on cards, store, cart and admin lists. */
export function SellerSwatch({ sellerId, size = 18, children }: SellerSwatchProps) {
  const width: CSSProperties & Record<'--w', string> = { '--w': `${size}px` };
  return (
    <span
      className={`${styles.swatch} ${styles.cloth}`}
      data-motif={motifOf(sellerId)}
      style={width}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
