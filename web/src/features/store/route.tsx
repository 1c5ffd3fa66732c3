import { useQuery } from '@tanstack/react-query';
import { Store as StoreIcon } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { storeQuery } from '../../api/stores.js';
import { Screen } from '../../app/Screen.js';
import { ButtonLink } from '../../ui/Button.js';
import { CardSkeletons } from '../../ui/CardSkeleton.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { StoreView } from './StoreView.js';
import './store.css';

/** All that one business sells. Spaces of its name are hyphens in the address. */
export function Component() {
  const { businessname: name = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(storeQuery(name));
  const online = useOnline();
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <NoSuchStore />;
  if (data !== undefined) return <StoreView key={data.user_id} store={data} />;
  if (isPending) return <StoreSkeleton />;
  return (
    <Screen title="Store" className="page">
      <h1 className="vh">Store</h1>
      {online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />}
    </Screen>
  );
}

function NoSuchStore() {
  return (
    <Screen title="No such store" className="page">
      <EmptyState
        motif="steps"
        icon={StoreIcon}
        headingLevel="h1"
        title="There is no store of this name"
        line="It may have a new name, or the link is not complete."
        action={<ButtonLink to="/">Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

function StoreSkeleton() {
  return (
    <Screen title="Store" className="page store">
      <h1 className="vh">Store</h1>
      <div className="storecard panel" aria-busy="true">
        <span className="sk facesk" aria-hidden="true" />
        <div className="grow stack">
          <Skeleton width={90} height={16} />
          <Skeleton width="60%" height={28} />
          <Skeleton className="sk-facts" width="80%" />
        </div>
        <Skeleton height={46} />
      </div>
      <div className="sec">
        <div className="hd">
          <Skeleton width={140} height={24} />
        </div>
        <div className="grid five">
          <CardSkeletons count={10} />
        </div>
      </div>
    </Screen>
  );
}
