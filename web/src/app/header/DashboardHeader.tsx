import { useQuery } from '@tanstack/react-query';
import { Bell, Store } from 'lucide-react';
import { Link } from 'react-router-dom';
import { unreadQuery } from '../../api/notifications.js';
import type { UserDetails } from '../../api/types.js';
import { ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Logo } from '../../ui/Logo.js';
import { storePath } from '../../ui/paths.js';
import { OptionsMenu } from './OptionsMenu.js';
import { StickyTop } from './StickyTop.js';

interface DashboardHeaderProps {
  readonly user: UserDetails;
  readonly wide?: boolean;
  /** On upload: the seller's name and the way to their store. */
  readonly myStore?: boolean;
}

/** Bell and options, without a search. */
export function DashboardHeader({ user, wide = false, myStore = false }: DashboardHeaderProps) {
  const { data } = useQuery(unreadQuery(user.user_id));
  const unread = data?.result.length ?? 0;
  return (
    <StickyTop wide={wide}>
      <Logo />
      <span className="end row">
        {myStore && (
          <ButtonLink look="tint" size="s" to={storePath(user.businessName)}>
            <Icon of={Store} size="s" />
            My Store
          </ButtonLink>
        )}
        <Link
          className="ib"
          to="/dashboard/notifications"
          aria-label={`Notifications, ${unread} unread`}
        >
          <Icon of={Bell} size="l" />
          {unread > 0 && <span className="count">{unread}</span>}
        </Link>
        <OptionsMenu user={user} />
      </span>
    </StickyTop>
  );
}
