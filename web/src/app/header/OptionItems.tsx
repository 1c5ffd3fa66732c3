import { pagePaths } from '@oja/contracts/pages';
import {
  CircleUserRound,
  LogIn,
  LogOut,
  ReceiptText,
  ShieldUser,
  Store,
  Upload,
} from 'lucide-react';
import { Link } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { Icon } from '../../ui/Icon.js';
import { useLogout } from '../use-logout.js';

/** Profile, upload, To Admin for sub-admins, Log out: the items of every options menu. */
export function OptionItems() {
  const user = useUser();
  const logout = useLogout();
  return (
    <>
      <li>
        <Link to={pagePaths.profile}>
          <Icon of={CircleUserRound} size="s" />
          Profile
        </Link>
      </li>
      <li>
        <Link to={pagePaths.upload}>
          <Icon of={Upload} size="s" />
          upload
        </Link>
      </li>
      {user?.is_subAdmin === 1 && (
        <li>
          <Link to={pagePaths.adminHome}>
            <Icon of={ShieldUser} size="s" />
            To Admin
          </Link>
        </li>
      )}
      <li>
        <button type="button" onClick={logout}>
          <Icon of={LogOut} size="s" />
          Log out
        </button>
      </li>
    </>
  );
}

/** What phones have no room for beside the search: the menu of whoever is not signed in. */
export function VisitorItems() {
  return (
    <>
      <li>
        <Link to={pagePaths.myOrders}>
          <Icon of={ReceiptText} size="s" />
          My orders
        </Link>
      </li>
      <li>
        <Link to={pagePaths.register}>
          <Icon of={Store} size="s" />
          Sell on Oja
        </Link>
      </li>
      <li>
        <Link to={pagePaths.login}>
          <Icon of={LogIn} size="s" />
          Log in
        </Link>
      </li>
    </>
  );
}
