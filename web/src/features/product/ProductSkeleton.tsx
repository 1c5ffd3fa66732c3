import '../../styles/parts/gallery.css';
import { Screen } from '../../app/Screen.js';
import { Skeleton } from '../../ui/Skeleton.js';

/** A product that is still coming, in its final size. */
export function ProductSkeleton() {
  return (
    <Screen title="Product" className="page">
      <h1 className="vh">Product</h1>
      <Skeleton width={220} height={18} className="sk-crumbs" />
      <div className="prod" aria-busy="true">
        <div className="gal">
          <div className="gmain">
            <Skeleton className="sk-picture" />
          </div>
        </div>
        <div className="stack">
          <Skeleton width="80%" height={34} />
          <Skeleton width={150} height={36} />
          <Skeleton height={66} />
          <Skeleton height={52} className="only-l" />
          <Skeleton height={82} />
          <Skeleton height={80} />
        </div>
      </div>
    </Screen>
  );
}
