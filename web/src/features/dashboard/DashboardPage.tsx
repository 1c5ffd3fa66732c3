import { pagePaths, storePath } from '@oja/contracts/pages';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  Banknote,
  Bell,
  CircleUserRound,
  Landmark,
  Lock,
  LogOut,
  type LucideIcon,
  Package,
  Plus,
  ShieldUser,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { unreadQuery } from '../../api/notifications.js';
import { earningsQuery, ownGoodsQuery } from '../../api/own-products.js';
import { useNeedsBankAccount } from '../../api/profile.js';
import type { OwnProduct, UserDetails } from '../../api/types.js';
import { mayAdminister } from '../../app/layouts/DashboardFrame.js';
import { Screen } from '../../app/Screen.js';
import { useLogout } from '../../app/use-logout.js';
import { useUser } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import * as styles from './DashboardPage.module.css';
import { listOwnGoods, OwnGoods, useOwnGoodsFilter } from './OwnGoods.js';
import { setUnavailable } from './unavailable.js';

/** All Products: the seller's money and own goods. */
export default function DashboardPage() {
  const user = useUser();
  const filter = useOwnGoodsFilter();
  const goods = useInfiniteQuery(ownGoodsQuery(filter));
  const { data, isLoadingError } = goods;
  const counts = data?.pages[0]?.counts;
  useEffect(() => {
    if (data !== undefined)
      setUnavailable(unavailableIds(data.pages.flatMap((page) => page.userDetails)));
  }, [data]);
  const isWhole = filter.find === '' && filter.status === undefined;
  if (user === null) return null;
  return (
    <Screen title="All Products">
      <div className={layout.sectionHead}>
        <div>
          <h1>All Products</h1>
          <p className={layout.muted}>
            {user.businessName}
            {isWhole && newestPlace(listOwnGoods(goods))}. <br className={layout.onlyNarrow} />
            <Link className={layout.link} to={storePath(user.businessName)}>
              See my store
            </Link>
          </p>
        </div>
        {user.is_suspended === 0 && (
          <ButtonLink to={pagePaths.upload}>
            <Icon of={Plus} />
            upload
          </ButtonLink>
        )}
      </div>
      <Shortcuts user={user} />
      <BankDetailsPrompt />
      <Stats
        sellerId={user.user_id}
        onSale={counts?.AVAILABLE ?? (isLoadingError ? null : undefined)}
        off={counts?.UNAVAILABLE ?? 0}
      />
      <OwnGoods goods={goods} />
    </Screen>
  );
}

const unavailableIds = (products: readonly OwnProduct[]) =>
  products.filter(({ status }) => status === 'UNAVAILABLE').map(({ product_id }) => product_id);

/** Where the newest product is, as ', Apapa, Lagos'; '' when there is none. */
function newestPlace([newest]: readonly OwnProduct[]): string {
  return newest === undefined ? '' : `, ${newest.local_govt}, ${newest.state}`;
}

/** Profile, To Admin and logout, on screens too narrow for the side navigation. */
function Shortcuts({ user }: { readonly user: UserDetails }) {
  const logout = useLogout();
  return (
    <div className={styles.shortcuts}>
      <ButtonLink look="line" size="s" to={pagePaths.profile}>
        <Icon of={CircleUserRound} size="s" />
        Profile
      </ButtonLink>
      {mayAdminister(user) && (
        <ButtonLink look="line" size="s" to={pagePaths.adminHome}>
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

/** Asks for bank details when money is payable and no account is known. */
function BankDetailsPrompt() {
  const { data: payable = 0 } = useQuery({ ...earningsQuery, select: (earned) => earned.payable });
  const needsBankAccount = useNeedsBankAccount(payable > 0);
  if (payable === 0 || !needsBankAccount) return null;
  return (
    <section
      className={`${panelStyles.panel} ${layout.row} ${layout.wrap} ${layout.spaceBetween} ${styles.bank}`}
      aria-label="Bank details needed"
    >
      <p>
        <b>
          <Naira amount={payable} />
        </b>{' '}
        is yours, and Oja does not know your bank yet.
      </p>
      <ButtonLink look="tint" size="s" to={pagePaths.profile}>
        <Icon of={Landmark} size="s" />
        Add bank details
      </ButtonLink>
    </section>
  );
}

interface StatsProps {
  readonly sellerId: string;
  /** Undefined until the goods are loaded; null when that failed. */
  readonly onSale: number | null | undefined;
  readonly off: number;
}

/** The money first, then the goods. A figure that could not be loaded has no tile. */
function Stats({ sellerId, onSale, off }: StatsProps) {
  const { data: earnings, isLoadingError: noEarnings } = useQuery(earningsQuery);
  const { data: unread, isLoadingError: noUnread } = useQuery(unreadQuery(sellerId));
  const orders = unread?.result.length;
  if (noEarnings && noUnread && onSale === null) return null;
  return (
    <dl className={styles.tiles}>
      {!noEarnings && (
        <>
          <Tile
            icon={Lock}
            label="Held for you"
            tone="money"
            figure={earnings && <Naira amount={earnings.held} />}
            note="paid when buyers confirm"
          />
          <Tile
            icon={Banknote}
            label="Payable"
            tone="received"
            figure={earnings && <Naira amount={earnings.payable} />}
            note={
              <>
                released to you;{' '}
                <Link className={layout.link} to={`${pagePaths.sales}?view=payouts`}>
                  {earnings ? <Naira amount={earnings.paid_out} /> : '…'} paid out
                </Link>{' '}
                so far
              </>
            }
          />
        </>
      )}
      {onSale !== null && (
        <Tile
          icon={Package}
          label="On sale"
          figure={onSale}
          note={onSale === undefined ? undefined : `${off} unavailable`}
        />
      )}
      {!noUnread && (
        <Tile
          icon={Bell}
          label="New orders"
          figure={orders}
          note={orders === undefined ? undefined : ordersNote(orders)}
        />
      )}
    </dl>
  );
}

const ordersNote = (orders: number) =>
  orders === 0 ? (
    'none unread'
  ) : (
    <Link className={layout.link} to={pagePaths.notifications}>
      Read them
    </Link>
  );

interface TileProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** money: held. received: released to the seller. */
  readonly tone?: 'money' | 'received';
  /** Undefined while it loads, and so may the note be. */
  readonly figure: ReactNode;
  readonly note: ReactNode;
}

/** One figure. A placeholder keeps its space while it loads, so that nothing moves later. */
function Tile({ icon, label, tone, figure, note }: TileProps) {
  return (
    <div
      className={classes(
        tone !== undefined && styles.money,
        tone === 'received' && styles.received,
      )}
    >
      <dt>
        <Icon of={icon} size="s" />
        {label}
      </dt>
      <dd>{figure ?? <Skeleton width="60%" className={styles.comingFigure} />}</dd>
      <dd className={styles.note}>{note ?? <Skeleton height={16} />}</dd>
    </div>
  );
}
