import { pagePaths, storePath } from '@oja/contracts/pages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, LogOut, type LucideIcon, ShieldUser, ShoppingBasket, Store } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { countUnread, unreadQuery } from '../../api/notifications.js';
import type { UserDetails } from '../../api/types.js';
import { createEntryStorage, watchScroll } from '../../features/goods/scroll-position.js';
import { isPushAllowed } from '../../push/allowed.js';
import { restoreSession, useSessionPhase, useUser } from '../../stores/session.js';
import { ButtonLink } from '../../ui/Button.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import { Spinner } from '../../ui/Spinner.js';
import { LoadFailed } from '../../ui/States.js';
import * as headerStyles from '../header/header.module.css';
import { OptionsMenu } from '../header/OptionsMenu.js';
import { PlainHeader } from '../header/PlainHeader.js';
import { StickyHeader } from '../header/StickyHeader.js';
import { useRedirect } from '../navigation.js';
import { Screen } from '../Screen.js';
import { useLogout } from '../use-logout.js';
import * as styles from './DashboardFrame.module.css';
import { SuspendedStrip } from './SuspendedStrip.js';

/** Whether the admin pages can be used: suspended admins are refused everything. */
export const mayAdminister = ({ is_admin, is_subAdmin, is_suspended }: UserDetails): boolean =>
  is_suspended !== 1 && (is_admin === 1 || is_subAdmin === 1);

interface NavItem {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** The label in the tab bar of phones, where there is less room. */
  readonly short?: string;
  readonly count?: number;
  /** Not in the tab bar, because another page links there. */
  readonly listOnly?: boolean;
}

interface SideNavProps {
  readonly items: readonly NavItem[];
  readonly toAdmin?: boolean;
  /** The path of the current entry, for pages whose own path is not in the list. */
  readonly current?: string | undefined;
}

/** Three characters, which is what a badge has room for. */
const formatBadgeCount = (count: number) => (count > 99 ? '99+' : count);

/** Side list from 992 px on, tab bar at the bottom below that. */
export function SideNav({ items, toAdmin = false, current }: SideNavProps) {
  const logout = useLogout();
  const { pathname } = useLocation();
  const ariaCurrent = (to: string) => (to === (current ?? pathname) ? 'page' : undefined);
  return (
    <>
      <nav className={styles.sideList} aria-label="Dashboard">
        {items.map(({ to, icon, label, count = 0 }) => (
          <Link key={to} to={to} aria-current={ariaCurrent(to)}>
            <Icon of={icon} />
            <span>{label}</span>
            {count > 0 && <span className={styles.count}>{formatBadgeCount(count)}</span>}
          </Link>
        ))}
        <hr />
        {toAdmin && (
          <Link to={pagePaths.adminHome}>
            <Icon of={ShieldUser} />
            To Admin
          </Link>
        )}
        <Link to={pagePaths.home}>
          <Icon of={ShoppingBasket} />
          To the market
        </Link>
        <button type="button" onClick={logout}>
          <Icon of={LogOut} />
          <span>logout</span>
        </button>
      </nav>
      <nav className={styles.tabBar} aria-label="Dashboard pages">
        {items
          .filter(({ listOnly }) => !listOnly)
          .map(({ to, icon, label, short = label }) => (
            <Link key={to} to={to} aria-current={ariaCurrent(to)}>
              <Icon of={icon} />
              {short}
            </Link>
          ))}
      </nav>
    </>
  );
}

interface DashboardHeaderProps {
  readonly user: UserDetails;
  readonly wide?: boolean;
  /** On upload: the seller's name and the link to their store. */
  readonly myStore?: boolean;
}

/** Bell and options, without a search. */
export function DashboardHeader({ user, wide = false, myStore = false }: DashboardHeaderProps) {
  const { data } = useQuery(unreadQuery(user.user_id));
  const unread = countUnread(data);
  useResumePush(user.user_id);
  return (
    <>
      <StickyHeader wide={wide}>
        <Logo />
        <span className={`${headerStyles.atEnd} ${layout.row}`}>
          {myStore && (
            <ButtonLink look="tint" size="s" to={storePath(user.businessName)}>
              <Icon of={Store} size="s" />
              My Store
            </ButtonLink>
          )}
          <Link
            className={buttonStyles.iconButton}
            to={pagePaths.notifications}
            aria-label={data === undefined ? 'Notifications' : `Notifications, ${unread} unread`}
          >
            <Icon of={Bell} size="l" />
            {unread > 0 && <span className={headerStyles.count}>{formatBadgeCount(unread)}</span>}
          </Link>
          <OptionsMenu user={user} />
        </span>
      </StickyHeader>
      {user.is_suspended === 1 && <SuspendedStrip />}
    </>
  );
}

interface SignedInProps {
  readonly children: (user: UserDetails) => ReactNode;
  /** The page stands within a layout that has a header. */
  readonly inLayout?: boolean;
}

/**
 * Guards the pages of signed-in users. Shows a spinner until the session is known. Without a session it goes
 * to /login, which leads back here, but only for the user who was here before. After Log out it goes home. Where the
 * session cannot be asked for, the page says so, and leads home.
 */
export function SignedIn({ children, inLayout = false }: SignedInProps) {
  const user = useUser();
  const phase = useSessionPhase();
  const location = useLocation();
  const lastSeen = useRef<string>(undefined);
  useScrollRestoration();
  useEffect(() => {
    if (user !== null) lastSeen.current = user.user_id;
  }, [user]);
  const whose = lastSeen.current;
  // Memoized: a new object at each render would navigate again and again until the login page's chunk is
  // loaded.
  const state = useMemo(() => ({ from: location, whose }), [location, whose]);
  if (user === null) {
    if (phase === 'left' && whose !== undefined) return <Redirect to={pagePaths.home} />;
    return <Redirect to={pagePaths.login} state={state} />;
  }
  if (phase === 'signed-in') return children(user);
  if (phase === 'away')
    return (
      <>
        {!inLayout && <PlainHeader />}
        <Screen title="Not reached" className={layout.page}>
          <LoadFailed headingLevel="h1" onRetry={() => void restoreSession()} />
        </Screen>
      </>
    );
  return (
    <Screen title="One moment" className={layout.page}>
      <Spinner label="Checking who you are" />
    </Screen>
  );
}

/** How far the pages of history entries were scrolled, in px. */
const scrollPositions = createEntryStorage('oja-tops');

/**
 * Brings a page back to where it was read, after a reload and on the way back from another document. The router scrolls
 * once, as soon as it runs; the content of these pages comes after the session, so they are too short by then. From then
 * on the page is scrolled whenever it grows, until all that it asked for has come, or the reader has moved.
 */
function useScrollRestoration(): void {
  const { key } = useLocation();
  const client = useQueryClient();
  useEffect(() => {
    const storedTop = scrollPositions.read(key);
    let targetTop = typeof storedTop === 'number' ? storedTop : 0;
    const stopRestoring = () => {
      targetTop = 0;
    };
    const leave = watchScroll(stopRestoring, (top) => scrollPositions.write(key, targetTop || top));
    const observer = new ResizeObserver(() => {
      if (targetTop === 0 || document.documentElement.scrollHeight - innerHeight < targetTop)
        return;
      scrollTo({ top: targetTop, behavior: 'instant' });
      if (client.isFetching() === 0) targetTop = 0;
    });
    observer.observe(document.body);
    return () => {
      observer.disconnect();
      leave();
    };
  }, [key, client]);
}

/** Rendered instead of a page that this person may not see: redirects to another. */
export function Redirect({ to, state }: { readonly to: string; readonly state?: object }) {
  useRedirect(to, state);
  return null;
}

/** Takes the seller's push messages up again after a new login. The push code is loaded only when they are allowed. */
function useResumePush(sellerId: string): void {
  useEffect(() => {
    if (!isPushAllowed()) return;
    import('../../push/resume.js')
      .then(({ resumePush }) => resumePush(sellerId))
      .catch(console.error);
  }, [sellerId]);
}
