import type { CSSProperties } from 'react';
import { classes } from './classes.js';
import * as productCardStyles from './ProductCard.module.css';
import * as styles from './Skeleton.module.css';

interface SkeletonProps {
  /** The final size, so that nothing moves when the content arrives. */
  readonly width?: CSSProperties['width'];
  readonly height?: CSSProperties['height'];
  readonly className?: string | undefined;
}

/** A placeholder with drifting water while something loads; hidden from screen readers. */
export function Skeleton({ width, height, className }: SkeletonProps) {
  return (
    <div
      className={classes(styles.skeleton, className)}
      style={{ width, height }}
      aria-hidden="true"
    />
  );
}

/** A card that is still loading, in its final size. */
function CardSkeleton({ lead = false }: { readonly lead?: boolean }) {
  return (
    <div
      className={classes(productCardStyles.card, lead && productCardStyles.lead)}
      aria-hidden="true"
    >
      <div className={`${productCardStyles.picture} ${styles.skeleton} ${styles.pictureLine}`} />
      <div className={productCardStyles.body}>
        <Skeleton className={styles.sellerLine} width="70%" />
        <Skeleton className={styles.priceLine} width="50%" />
        <Skeleton className={styles.nameLines} />
        <Skeleton className={styles.placeLine} width="60%" />
        <div className={productCardStyles.actions}>
          <Skeleton className={styles.actionLine} />
        </div>
      </div>
    </div>
  );
}

/** Placeholder cards. Put them where the cards will stand. */
export function CardSkeletons({
  count,
  lead = false,
}: {
  readonly count: number;
  readonly lead?: boolean;
}) {
  return Array.from({ length: count }, (_, place) => `card-${place}`).map((key) => (
    <CardSkeleton key={key} lead={lead} />
  ));
}
