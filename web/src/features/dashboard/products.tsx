import { useQuery } from '@tanstack/react-query';
import { CircleUserRound, LogOut, Plus, ShieldUser } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { ownProductsQuery } from '../../api/own-products.js';
import type { OwnProduct, UserDetails } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { useLogout } from '../../app/use-logout.js';
import { useUser } from '../../stores/session.js';
import '../../styles/parts/dashboard.css';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { storePath } from '../../ui/paths.js';
import { OwnGoods } from './OwnGoods.js';
import { Stats } from './Stats.js';
import { setUnavailable } from './unavailable.js';

/** All Products: the money, and the seller's own goods. */
export function Component() {
  const user = useUser();
  const { data: products, isLoadingError } = useQuery(ownProductsQuery);
  const off = products?.filter(({ status }) => status === 'UNAVAILABLE') ?? [];
  useEffect(() => {
    if (products !== undefined) setUnavailable(offIds(products));
  }, [products]);
  if (user === null) return null;
  return (
    <Screen title="All Products">
      <div className="hd">
        <div>
          <h1>All Products</h1>
          <p className="muted">
            {user.businessName}
            {placeOf(products)}. <br className="only-s" />
            <Link className="link" to={storePath(user.businessName)}>
              See my store
            </Link>
          </p>
        </div>
        <ButtonLink to="/upload-product">
          <Icon of={Plus} />
          upload
        </ButtonLink>
      </div>
      <WaysOn user={user} />
      <Stats
        sellerId={user.user_id}
        onSale={products ? products.length - off.length : isLoadingError ? null : undefined}
        off={off.length}
      />
      <OwnGoods />
    </Screen>
  );
}

const offIds = (products: readonly OwnProduct[]) =>
  products.filter(({ status }) => status === 'UNAVAILABLE').map(({ product_id }) => product_id);

/** Where the newest of the goods stands. */
function placeOf(products: readonly OwnProduct[] | undefined): string {
  const newest = products?.[0];
  return newest === undefined ? '' : `, ${newest.local_govt}, ${newest.state}`;
}

/** Profile, To Admin and logout, where the side list has no room. */
function WaysOn({ user }: { readonly user: UserDetails }) {
  const logout = useLogout();
  return (
    <div className="wayson">
      <ButtonLink look="line" size="s" to="/dashboard/profile">
        <Icon of={CircleUserRound} size="s" />
        Profile
      </ButtonLink>
      {(user.is_subAdmin === 1 || user.is_admin === 1) && (
        <ButtonLink look="line" size="s" to="/admin-dashboard">
          <Icon of={ShieldUser} size="s" />
          To Admin
        </ButtonLink>
      )}
      <Button look="line" size="s" onClick={logout}>
        <Icon of={LogOut} size="s" />
        logout
      </Button>
    </div>
  );
}
