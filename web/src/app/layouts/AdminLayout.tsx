import { pagePaths } from '@oja/contracts/pages';
import { LayoutGrid, ReceiptText, ShieldUser, Store } from 'lucide-react';
import { Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { classes } from '../../ui/classes.js';
import * as layout from '../../ui/layout.module.css';
import { DashboardHeader, mayAdminister, Redirect, SideNav, SignedIn } from './DashboardFrame.js';
import * as dashboardFrameStyles from './DashboardFrame.module.css';

const SELLERS = pagePaths.sellers;
/** The buyers' transactions: the one page that takes the whole width of the window. */
export const BUYERS_PATH = `${SELLERS}?view=buyers`;

const navItems = [
  { to: pagePaths.adminHome, icon: LayoutGrid, label: 'Admin home', short: 'Home' },
  { to: SELLERS, icon: Store, label: 'Total Sellers', short: 'Sellers' },
  { to: BUYERS_PATH, icon: ReceiptText, label: 'Buyers' },
  { to: pagePaths.admins, icon: ShieldUser, label: 'Total Admins', short: 'Admins' },
];

/** The pages of head admins and sub-admins. A seller who is neither, or who is suspended, is sent to the dashboard. */
export function AdminLayout() {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const wide = pathname === SELLERS && params.get('view') === 'buyers';
  const isNavItem = navItems.some(({ to }) => to === pathname);
  // A transaction's page belongs to the table it was opened from.
  const current = wide || !isNavItem ? BUYERS_PATH : undefined;
  return (
    <SignedIn>
      {(user) =>
        mayAdminister(user) ? (
          <>
            <DashboardHeader user={user} wide={wide} />
            <div
              className={classes(
                layout.page,
                dashboardFrameStyles.dashboard,
                wide && `${layout.wide} ${dashboardFrameStyles.signsOnly}`,
              )}
            >
              <SideNav items={navItems} current={current} />
              <Outlet />
            </div>
          </>
        ) : (
          <Redirect to={pagePaths.dashboard} />
        )
      }
    </SignedIn>
  );
}
