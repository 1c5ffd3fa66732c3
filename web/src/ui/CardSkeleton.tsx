import { classes } from './classes.js';
import { Skeleton } from './Skeleton.js';

/** A card that is still coming, in its final size. */
export function CardSkeleton({ lead = false }: { readonly lead?: boolean }) {
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
