import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Screen } from '../../app/Screen.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { SellersView } from './SellersView.js';

/** The table is the heavier half, fetched when it is looked at. */
const Buyers = lazy(() => import('./buyers/Buyers.js'));

/** Sellers, or the buyers' transactions. */
export function Component() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'buyers') return <SellersView />;
  return (
    <Suspense fallback={<BuyersToCome />}>
      <Buyers />
    </Suspense>
  );
}

function BuyersToCome() {
  return (
    <Screen title="Buyers">
      <h1 className="vh">Buyers</h1>
      <Skeleton height={480} />
    </Screen>
  );
}
