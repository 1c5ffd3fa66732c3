import { pagePaths } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { Banknote, Bell, CircleUserRound, LayoutGrid, PackageCheck, Upload } from 'lucide-react';
import { Outlet, useLocation } from 'react-router-dom';
import { countUnread, unreadQuery } from '../../api/notifications.js';
import { useIsSuspended } from '../../stores/session.js';
import * as layout from '../../ui/layout.module.css';
import { DashboardHeader, mayAdminister, SideNav, SignedIn } from './DashboardFrame.js';
import * as dashboardFrameStyles from './DashboardFrame.module.css';
import { useRouteFlag } from './public-layouts.js';

/** The seller's pages. */
export function DashboardLayout() {
  const myStore = useRouteFlag('myStore');
  return (
    <SignedIn>
      {(user) => (
        <>
          <DashboardHeader user={user} myStore={myStore} />
          <div className={`${layout.page} ${dashboardFrameStyles.dashboard}`}>
            <SellerNav sellerId={user.user_id} toAdmin={mayAdminister(user)} />
            <Outlet />
          </div>
        </>
      )}
    </SignedIn>
  );
}

/** The navigation of the seller's pages, with the count of unread notices. */
export function SellerNav({
  sellerId,
  toAdmin,
}: {
  readonly sellerId: string;
  readonly toAdmin: boolean;
}) {
  const { data } = useQuery(unreadQuery(sellerId));
  const suspended = useIsSuspended();
  const items = [
    { to: pagePaths.dashboard, icon: LayoutGrid, label: 'All Products', short: 'Products' },
    { to: pagePaths.orders, icon: PackageCheck, label: 'Orders' },
    { to: pagePaths.sales, icon: Banknote, label: 'Sales', listOnly: true },
    // It would be refused.
    ...(suspended ? [] : [{ to: pagePaths.upload, icon: Upload, label: 'upload' }]),
    {
      to: pagePaths.notifications,
      icon: Bell,
      label: 'Notifications',
      short: 'Notices',
      count: countUnread(data),
    },
    { to: pagePaths.profile, icon: CircleUserRound, label: 'Profile' },
  ];
  const { pathname } = useLocation();
  // The page of one order or one product belongs to the list it was opened from.
  const [, section] = pathname.split('/');
  const current =
    section === 'single-product'
      ? pagePaths.dashboard
      : pathname.startsWith(`${pagePaths.orders}/`)
        ? pagePaths.orders
        : undefined;
  return <SideNav items={items} toAdmin={toAdmin} current={current} />;
}
