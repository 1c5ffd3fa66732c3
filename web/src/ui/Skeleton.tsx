import type { CSSProperties } from 'react';
import { classes } from './classes.js';

interface SkeletonProps {
  /** The final size, so that nothing moves when the content arrives. */
  readonly width?: CSSProperties['width'];
  readonly height?: CSSProperties['height'];
  readonly className?: string;
}

/** A box with drifting water where something is still loading; hidden from readers. */
export function Skeleton({ width, height, className }: SkeletonProps) {
  return <div className={classes('sk', className)} style={{ width, height }} aria-hidden="true" />;
}

/** A card that is still coming, in its final size. */
function CardSkeleton({ lead = false }: { readonly lead?: boolean }) {
  return (
    <div className={classes('card', lead && 'lead')} aria-hidden="true">
      <div className="pic sk" />
      <div className="in">
        <Skeleton className="sk-seller" width="70%" />
        <Skeleton className="sk-price" width="50%" />
        <Skeleton className="sk-name" />
        <Skeleton className="sk-place" width="60%" />
        <div className="acts">
          <Skeleton className="sk-act" />
        </div>
      </div>
    </div>
  );
}

/** So many cards that are still coming. Put them where the cards will stand. */
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
