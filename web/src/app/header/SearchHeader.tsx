import { LogIn, Menu, Store } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { Icon } from '../../ui/Icon.js';
import { Logo } from '../../ui/Logo.js';
import { CartLink } from './CartLink.js';
import { DeliveryBell } from './DeliveryBell.js';
import { MenuButton } from './MenuButton.js';
import { OptionsMenu } from './OptionsMenu.js';
import { SearchBox } from './SearchBox.js';
import { StickyTop } from './StickyTop.js';

/** Search plus cart: the header of the market. */
export function SearchHeader() {
  const user = useUser();
  return (
    <StickyTop>
      <Logo />
      <div className="sw">
        <SearchBox />
      </div>
      {user === null && (
        <nav className="links" aria-label="Account">
          <Link className="t" to="/register">
            Sell on Oja
          </Link>
          <Link className="t" to="/login">
            Log in
          </Link>
        </nav>
      )}
      {user !== null && (
        <div className="links-end">
          <OptionsMenu user={user} />
        </div>
      )}
      <DeliveryBell />
      <CartLink />
      {user === null && (
        <div className="only-s menubtn">
          <MenuButton label="Menu" face={<Icon of={Menu} size="l" />}>
            <li>
              <Link to="/register">
                <Icon of={Store} size="s" />
                Sell on Oja
              </Link>
            </li>
            <li>
              <Link to="/login">
                <Icon of={LogIn} size="s" />
                Log in
              </Link>
            </li>
          </MenuButton>
        </div>
      )}
    </StickyTop>
  );
}
