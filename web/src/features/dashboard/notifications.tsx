import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, BellOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import { unreadQuery } from '../../api/notifications.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import '../../styles/parts/dashboard.css';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { Notice } from './Notice.js';
import { PushSwitch } from './PushSwitch.js';
import { useClear } from './use-clear.js';

export function Component() {
  const user = useUser();
  return user === null ? null : <Notices sellerId={user.user_id} />;
}

/** What was ordered and not cleared yet. */
function Notices({ sellerId }: { readonly sellerId: string }) {
  const { data } = useQuery(unreadQuery(sellerId));
  const clear = useClear(sellerId);
  return (
    <Screen title="Notifications" className="narrow">
      <div className="hd nowrap">
        <div className="row backed">
          <Link className="ib" to="/dashboard" aria-label="Back">
            <Icon of={ArrowLeft} />
          </Link>
          <h1>Notifications</h1>
        </div>
        <Button
          look="ghost"
          busy={clear.isPending}
          onClick={() => clear.mutate(data?.position ?? null)}
        >
          clear all
        </Button>
      </div>
      <PushSwitch sellerId={sellerId} />
      <NoticeList sellerId={sellerId} />
    </Screen>
  );
}

function NoticeList({ sellerId }: { readonly sellerId: string }) {
  const { data, isPending, isError, refetch } = useQuery(unreadQuery(sellerId));
  const online = useOnline();
  if (isPending) return <Skeleton height={184} className="panel" />;
  if (isError) return online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />;
  if (data.result.length === 0)
    return (
      <EmptyState
        motif="moon"
        icon={BellOff}
        title="Nothing Ordered!!!"
        line="You hear of an order here as soon as it is paid."
        action={
          <ButtonLink look="line" to="/dashboard">
            All Products
          </ButtonLink>
        }
      />
    );
  return (
    <ul className="notes panel" aria-label="Orders">
      {data.result.flatMap(({ items, created_at }) =>
        items.map((item) => (
          <Notice key={`${created_at}/${item.product_id}`} item={item} at={created_at} />
        )),
      )}
    </ul>
  );
}
