import { categories, offeredSubcategories } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { Shapes, ShieldUser, Store, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { overviewQuery } from '../../api/admin.js';
import { Screen } from '../../app/Screen.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { AddAdminDialog } from './AddAdminDialog.js';
import { ActCard, CountCard } from './AdminCards.js';
import { CategoriesDialog } from './CategoriesDialog.js';
import { MoneyBar } from './MoneyBar.js';
import { Needs } from './Needs.js';
import { useIsHead } from './rights.js';

const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Africa/Lagos' });

/** The admin's first page: what they may do, where the money is, and what needs a person. */
export function Component() {
  const head = useIsHead();
  const { data } = useQuery(overviewQuery);
  const [open, setOpen] = useState<'admin' | 'categories'>();
  const close = () => setOpen(undefined);
  return (
    <Screen title="Admin dashboard">
      <div className="hd">
        <div>
          <h1>Admin dashboard</h1>
          <p className="muted">
            {head ? 'Head admin' : 'Sub-admin'}. {today.format(new Date())}.
          </p>
        </div>
      </div>
      <div className="acards">
        {head && (
          <ActCard
            motif="moon"
            icon={UserPlus}
            title="Add An Admin"
            line="Give a seller the sub-admin role"
            onPress={() => setOpen('admin')}
          />
        )}
        <CountCard
          to="/admin-dashboard/admins"
          icon={ShieldUser}
          title="Total Admins"
          count={data?.totalAdmins}
        />
        {head && (
          <ActCard
            motif="lozenge"
            icon={Shapes}
            title="Add/Edit Category"
            line={`${categories.length} categories, ${offeredSubcategories.length} subcategories`}
            onPress={() => setOpen('categories')}
          />
        )}
        <CountCard
          to="/admin-dashboard/sellers"
          icon={Store}
          title="Total Sellers"
          count={data?.totalSellers}
        />
      </div>
      <Overview />
      <AddAdminDialog open={open === 'admin'} onClose={close} />
      <CategoriesDialog open={open === 'categories'} onClose={close} />
    </Screen>
  );
}

function Overview() {
  const { data, isError, refetch } = useQuery(overviewQuery);
  const online = useOnline();
  if (data !== undefined)
    return (
      <>
        <MoneyBar money={data.money} />
        <Needs disputes={data.disputes} unconfirmed={data.unconfirmed} />
      </>
    );
  if (isError) return online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />;
  return (
    <div className="sec">
      <Skeleton height={220} />
    </div>
  );
}
