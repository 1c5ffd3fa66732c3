import { LogOut, type LucideIcon, ShieldUser, ShoppingBasket } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../ui/Icon.js';
import { useLogout } from '../use-logout.js';

export interface SidePlace {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** In the tab bar of phones, where there is less room. */
  readonly short?: string;
  readonly count?: number;
}

interface SideNavProps {
  readonly places: readonly SidePlace[];
  readonly toAdmin?: boolean;
  /** The place whose page this is, where the path alone does not tell. */
  readonly current?: string | undefined;
}

/** Side list from 992, tab bar at the foot below. */
export function SideNav({ places, toAdmin = false, current }: SideNavProps) {
  const logout = useLogout();
  const { pathname } = useLocation();
  const here = (to: string) => (to === (current ?? pathname) ? 'page' : undefined);
  return (
    <>
      <nav className="side" aria-label="Dashboard">
        {places.map(({ to, icon, label, count = 0 }) => (
          <Link key={to} to={to} aria-current={here(to)}>
            <Icon of={icon} />
            <span>{label}</span>
            {count > 0 && <span className="count">{count}</span>}
          </Link>
        ))}
        <hr />
        {toAdmin && (
          <Link to="/admin-dashboard">
            <Icon of={ShieldUser} />
            To Admin
          </Link>
        )}
        <Link to="/">
          <Icon of={ShoppingBasket} />
          To the market
        </Link>
        <button type="button" onClick={logout}>
          <Icon of={LogOut} />
          <span>Log out</span>
        </button>
      </nav>
      <nav className="tabbar" aria-label="Dashboard pages">
        {places.map(({ to, icon, label, short = label }) => (
          <Link key={to} to={to} aria-current={here(to)}>
            <Icon of={icon} />
            {short}
          </Link>
        ))}
      </nav>
    </>
  );
}
