import { useQuery } from '@tanstack/react-query';
import { Bell, CircleUserRound, LayoutGrid, Upload } from 'lucide-react';
import { Outlet } from 'react-router-dom';
import { unreadQuery } from '../../api/notifications.js';
import '../../styles/parts/dashboard-shell.css';
import { SignedIn } from '../Guard.js';
import { DashboardHeader } from '../header/DashboardHeader.js';
import { useRouteFlag } from '../route-flags.js';
import { SideNav } from './SideNav.js';

/** The seller's pages. */
export function Component() {
  const myStore = useRouteFlag('myStore');
  return (
    <SignedIn>
      {(user) => (
        <>
          <DashboardHeader user={user} myStore={myStore} />
          <div className="page dash">
            <SellerNav
              sellerId={user.user_id}
              toAdmin={user.is_subAdmin === 1 || user.is_admin === 1}
            />
            <Outlet />
          </div>
        </>
      )}
    </SignedIn>
  );
}

function SellerNav({
  sellerId,
  toAdmin,
}: {
  readonly sellerId: string;
  readonly toAdmin: boolean;
}) {
  const { data } = useQuery(unreadQuery(sellerId));
  const places = [
    { to: '/dashboard', icon: LayoutGrid, label: 'All Products', short: 'Products' },
    { to: '/upload-product', icon: Upload, label: 'upload' },
    {
      to: '/dashboard/notifications',
      icon: Bell,
      label: 'Notifications',
      count: data?.result.length ?? 0,
    },
    { to: '/dashboard/profile', icon: CircleUserRound, label: 'Profile' },
  ];
  return <SideNav places={places} toAdmin={toAdmin} />;
}
