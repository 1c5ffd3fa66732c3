import { LayoutGrid, ReceiptText, ShieldUser, Store } from 'lucide-react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import '../../styles/parts/admin.css';
import '../../styles/parts/dashboard-shell.css';
import { classes } from '../../ui/classes.js';
import { SignedIn } from '../Guard.js';
import { DashboardHeader } from '../header/DashboardHeader.js';
import { SideNav } from './SideNav.js';

/** The transactions: the one page that takes the whole width of the window. */
const BUYERS = '/admin-dashboard/sellers?view=buyers';

const places = [
  { to: '/admin-dashboard', icon: LayoutGrid, label: 'Admin home', short: 'Home' },
  { to: '/admin-dashboard/sellers', icon: Store, label: 'Total Sellers', short: 'Sellers' },
  { to: BUYERS, icon: ReceiptText, label: 'Buyers' },
  { to: '/admin-dashboard/admins', icon: ShieldUser, label: 'Total Admins', short: 'Admins' },
];

/** The pages of head admins and sub-admins; a seller who is neither goes to their own. */
export function Component() {
  const { pathname, search } = useLocation();
  const wide = pathname + search === BUYERS;
  return (
    <SignedIn>
      {(user) =>
        user.is_admin === 1 || user.is_subAdmin === 1 ? (
          <>
            <DashboardHeader user={user} wide={wide} />
            <div className={classes('page dash', wide && 'wide rail1')}>
              <SideNav places={places} />
              <Outlet />
            </div>
          </>
        ) : (
          <Navigate to="/dashboard" replace />
        )
      }
    </SignedIn>
  );
}
