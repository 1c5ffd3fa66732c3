import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Screen } from '../../app/Screen.js';
import * as layout from '../../ui/layout.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { LoadFailed } from '../../ui/States.js';
import { filterAdmins, usersQuery, withoutErased } from './api.js';
import { UserList, UserSkeletons, ViewSwitch } from './UserCards.js';

/** Loaded only when the audit view is opened. */
const Audit = lazy(() => import('./Audit.js'));

/** Head admins and sub-admins, or with `?view=audit` what they did. */
export default function AdminsPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'audit') return <AdminsView />;
  return (
    <Suspense fallback={<Skeleton height={480} />}>
      <Audit />
    </Suspense>
  );
}

function AdminsView() {
  const { data, isError, refetch } = useQuery(usersQuery);
  const admins = data && filterAdmins(data);
  return (
    <Screen title="Total Admins">
      <div className={layout.sectionHead}>
        <h1>
          Total Admins{' '}
          <span className={`${layout.figures} ${layout.muted}`}>
            {admins && withoutErased(admins).length}
          </span>
        </h1>
        <ViewSwitch of="admins" second={false} />
      </div>
      {admins && <UserList users={admins} />}
      {!admins && !isError && <UserSkeletons />}
      {!admins && isError && (
        <LoadFailed title="Error getting all Admins" onRetry={() => void refetch()} />
      )}
    </Screen>
  );
}
