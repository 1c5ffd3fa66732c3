import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/profile.js';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/dashboard.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { PayoutPanel } from './profile/PayoutPanel.js';
import { ProfilePanel } from './profile/ProfilePanel.js';

/** The seller's own details, to look at and to change. */
export function Component() {
  const { data, isError, refetch } = useQuery(profileQuery);
  const online = useOnline();
  return (
    <Screen title="Profile" className="narrow">
      <div className="hd">
        <h1>Profile</h1>
      </div>
      {isError && !data && online && <ErrorState onRetry={() => void refetch()} />}
      {isError && !data && !online && <OfflineState />}
      {!isError && !data && <Skeleton height={340} />}
      {data && (
        <div className="stack steps">
          <ProfilePanel profile={data} />
          <PayoutPanel />
        </div>
      )}
    </Screen>
  );
}
