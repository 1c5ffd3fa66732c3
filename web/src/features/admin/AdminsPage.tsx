import { useQuery } from '@tanstack/react-query';
import { Screen } from '../../app/Screen.js';
import * as layout from '../../ui/layout.module.css';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-browser.js';
import { usersQuery } from './api.js';
import { UserSkeletons, Users } from './UserCards.js';
import { adminsOf } from './users.js';

/** Head admins and sub-admins. */
export default function AdminsPage() {
  const { data, isError, refetch } = useQuery(usersQuery);
  const online = useOnline();
  const admins = data && adminsOf(data);
  return (
    <Screen title="Total Admins">
      <div className={layout.sectionHead}>
        <h1>
          Total Admins <span className={`${layout.figures} ${layout.muted}`}>{admins?.length}</span>
        </h1>
      </div>
      {admins && <Users users={admins} />}
      {!admins && !isError && <UserSkeletons />}
      {!admins && isError && online && (
        <ErrorState title="Error getting all Admins" onRetry={() => void refetch()} />
      )}
      {!admins && isError && !online && <OfflineState />}
    </Screen>
  );
}
