import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { type CategoryName, categories } from '@oja/domain/rules';
import {
  CircleUserRound,
  Heart,
  Info,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  MessageSquareText,
  MonitorSmartphone,
  ReceiptText,
  ShieldUser,
  Shirt,
  Sparkles,
  Store,
  Tv,
  Upload,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsSuspended, useUser } from '../../stores/session.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import { useMedia } from '../../ui/use-browser.js';
import { useLogout } from '../use-logout.js';

/** From this width on, the seller's menu holds only the seller's own items. */
const WIDE = '(min-width: 768px)';

interface ItemProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

function Item({ to, icon, children }: ItemProps) {
  return (
    <li>
      <Link to={to}>
        <Icon of={icon} size="s" />
        {children}
      </Link>
    </li>
  );
}

const categoryIcons: Readonly<Record<CategoryName, LucideIcon>> = {
  Electronics: Tv,
  Fashion: Shirt,
  'Beauty and Skincare': Sparkles,
  'Phones and Laptop': MonitorSmartphone,
};

/** Links for shoppers. On wide screens the home page and its footer show most of them. */
function ShopperItems() {
  return (
    <>
      {categories.map(({ name }) => (
        <Item key={name} to={categoryPath(name)} icon={categoryIcons[name]}>
          {name}
        </Item>
      ))}
      <Item to={pagePaths.myOrders} icon={ReceiptText}>
        My orders
      </Item>
      <Item to={pagePaths.saved} icon={Heart}>
        Saved
      </Item>
      <Item to={pagePaths.reviews} icon={MessageSquareText}>
        Ratings and reviews
      </Item>
      <Item to={pagePaths.about} icon={Info}>
        About
      </Item>
      <li>
        {/* By a full page load, as in the footer. */}
        <a href={pagePaths.contact}>
          <Icon of={Mail} size="s" />
          Contact Us
        </a>
      </li>
    </>
  );
}

/** The items of every options menu: Profile, upload, To Admin for sub-admins, and Log out; no place that would refuse. */
function SellerItems() {
  const user = useUser();
  const suspended = useIsSuspended();
  const logout = useLogout();
  const wide = useMedia(WIDE);
  return (
    <>
      <Item to={pagePaths.profile} icon={CircleUserRound}>
        Profile
      </Item>
      {!suspended && (
        <Item to={pagePaths.upload} icon={Upload}>
          upload
        </Item>
      )}
      {user?.is_subAdmin === 1 && !suspended && (
        <Item to={pagePaths.adminHome} icon={ShieldUser}>
          To Admin
        </Item>
      )}
      <li>
        <button type="button" onClick={logout}>
          <Icon of={LogOut} size="s" />
          Log out
        </button>
      </li>
      {wide || <ShopperItems />}
    </>
  );
}

/** The menu of visitors who are not signed in: on phones there is no room for these links beside the search. */
function VisitorItems() {
  return (
    <>
      <ShopperItems />
      <Item to={pagePaths.register} icon={Store}>
        Sell on Oja
      </Item>
      <Item to={pagePaths.login} icon={LogIn}>
        Log in
      </Item>
    </>
  );
}

/** The items of each menu. */
export const menus = { seller: SellerItems, visitor: VisitorItems };
