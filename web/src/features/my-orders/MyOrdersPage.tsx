import { pagePath, pagePaths } from '@oja/contracts/pages';
import { ORDER_EXPIRES_AFTER_MS, orderKeyParts, orderNumber } from '@oja/domain/rules';
import { Check, Clock, Hourglass, PackageSearch, Replace, Undo2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { errorMessage } from '../../api/failures.js';
import type { Order } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { type StoredOrder, useOrders } from '../../stores/orders.js';
import { Badge } from '../../ui/Badge.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import * as layout from '../../ui/layout.module.css';
import { MoreButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState } from '../../ui/States.js';
import { ProblemReport } from '../checkout/DeliveryQuestion.js';
import { outcomeView, PayAgain } from '../checkout/OrderOutcome.js';
import {
  describeSettledShares,
  formatTime,
  OrderGoods,
  type OrderState,
  OtherPayment,
  toOrderState,
} from '../checkout/order.js';
import { findReplacement, forgetOrder, type Replacement, useOrder } from '../checkout/payments.js';
import { createEntryStorage } from '../goods/scroll-position.js';
import { saleBadges } from '../orders/labels.js';
import * as orderCardStyles from '../orders/OrdersPage.module.css';
import * as styles from './MyOrdersPage.module.css';

/** The number of orders that are fetched and shown at first, and added by each press of 'Older orders'. */
const ORDERS_PER_STEP = 10;

/** How many were shown at a history entry: Back from a receipt finds them again, and so does a reload. */
const shownCounts = createEntryStorage('oja-my-orders');

function readShownCount(entry: string): number {
  const shown = shownCounts.read(entry);
  return typeof shown === 'number' ? shown : ORDERS_PER_STEP;
}

/** The orders placed in this browser, newest first. */
export default function MyOrdersPage() {
  const orders = useOrders();
  const { key: entry } = useLocation();
  const [shown, setShown] = useState(() => readShownCount(entry));
  const [asking, setAsking] = useState<string>();

  const showMore = () => {
    shownCounts.write(entry, shown + ORDERS_PER_STEP);
    setShown(shown + ORDERS_PER_STEP);
  };
  const forget = (key: string) => {
    forgetOrder(key);
    setAsking(undefined);
  };
  return (
    <Screen title="My orders" className={`${layout.page} ${layout.narrow} ${styles.page}`}>
      <h1>My orders</h1>
      <p className={layout.muted}>
        Orders placed in this browser. Other phones and browsers have their own lists.
      </p>
      {orders.length === 0 && (
        <EmptyState
          motif="lozenge"
          icon={PackageSearch}
          title="Nothing was ordered here yet"
          line="Did you order on another phone or browser? The link in your receipt e-mail opens that order here."
          action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
        />
      )}
      <ul className={`${orderCardStyles.orders} ${styles.orders}`} aria-label="My orders">
        {orders.slice(0, shown).map((kept) => (
          <OrderCard
            key={kept.key}
            kept={kept}
            replacement={findReplacement(kept, orders)}
            onForget={setAsking}
            onDrop={forget}
          />
        ))}
      </ul>
      {orders.length > shown && <MoreButton onClick={showMore}>Older orders</MoreButton>}
      <ForgetDialog orderKey={asking} onClose={() => setAsking(undefined)} onForget={forget} />
    </Screen>
  );
}

interface ForgetDialogProps {
  /** The order that the dialog asks about; undefined while it is closed. */
  readonly orderKey: string | undefined;
  readonly onClose: () => void;
  readonly onForget: (orderKey: string) => void;
}

/** Asks for confirmation and names the order by its number. */
function ForgetDialog({ orderKey = '', onClose, onForget }: ForgetDialogProps) {
  return (
    <Dialog
      open={orderKey !== ''}
      onClose={onClose}
      title={`Forget order ${orderNumber(orderKey)}?`}
      foot={
        <ConfirmButtons no="Keep it" onNo={onClose} onYes={() => onForget(orderKey)}>
          Forget it
        </ConfirmButtons>
      }
    >
      <p>Only this list changes: the order itself continues as before.</p>
      <p className={layout.muted}>
        To confirm its delivery later you need the link in your receipt e-mail.
      </p>
    </Dialog>
  );
}

/** The state of an order for its buyer; expired: it was not paid in time. */
export type BuyerOrderState = OrderState | 'expired';

/**
 * The state of an order, from the buyer's view.
 * @param placedAt when it was placed, by the clock of this device, which may be days off; ISO 8601, or empty
 * @param now epoch milliseconds by the same clock
 */
export function toBuyerOrderState(order: Order, placedAt: string, now: number): BuyerOrderState {
  const state = toOrderState(order);
  const isOver = order.status === 'expired' || now >= expiresAt(placedAt || order.created_at);
  return state === 'unpaid' && isOver ? 'expired' : state;
}

const expiresAt = (placedAt: string) => Date.parse(placedAt) + ORDER_EXPIRES_AFTER_MS;

/** What the card of an order says of it. replaced: another order with its goods is to be paid, or was. */
type CardState = BuyerOrderState | 'replaced';

/** What can still be paid is replaced by a later order; what can be ordered again only by one that was paid. */
function toCardState(state: BuyerOrderState, replacement: Replacement | undefined): CardState {
  const isReplaced =
    replacement !== undefined &&
    (state === 'unpaid' || (state === 'expired' && replacement.isPaid));
  return isReplaced ? 'replaced' : state;
}

const cardBadges = {
  unpaid: { tone: 'wait', icon: Clock, label: 'Waiting for payment' },
  expired: { tone: 'grey', icon: Hourglass, label: 'Expired' },
  replaced: { tone: 'grey', icon: Replace, label: 'Replaced' },
  returned: { tone: 'grey', icon: Undo2, label: 'Payment returned' },
  asked: saleBadges.held,
  delivered: saleBadges.released,
  disputed: saleBadges.disputed,
  refunded: saleBadges.refunded,
} as const satisfies Readonly<Record<CardState, unknown>>;

/** Of an order that the market settled without the buyer's Yes: it may never have been delivered. */
const settledBadge = { tone: 'safe', icon: Check, label: 'Settled' } as const;

const toBadge = (order: Order, shown: CardState) =>
  shown === 'delivered' && order.delivered_at === undefined ? settledBadge : cardBadges[shown];

function heldText(order: Order): string {
  const settled = describeSettledShares(order);
  return settled === ''
    ? 'Oja holds your money until you confirm that everything has arrived.'
    : `${settled} Oja holds the rest until you confirm that it has arrived.`;
}

function cardText(order: Order, shown: CardState, replacement: Replacement | undefined): string {
  switch (shown) {
    case 'replaced':
      return replacement?.isPaid
        ? `You paid order ${replacement.number} in its place. If money left your account for this one too, write to us.`
        : `You ordered this again, as order ${replacement?.number}: pay that one. Just paid this one? It shows here once your bank has confirmed it.`;
    case 'unpaid':
      return `Just paid? It shows here once your bank has confirmed it. Unpaid, it expires on ${formatTime(new Date(expiresAt(order.created_at)).toISOString())}.`;
    case 'expired':
      return 'It was not paid in time, and nothing was ordered. If money left your account, write to us.';
    case 'asked':
      return `${heldText(order)}${
        replacement?.isPaid
          ? ` The same goods are in order ${replacement.number}, which you have paid too. One too many? Write to us.`
          : ''
      }`;
    default:
      return outcomeView(order, shown).line(order);
  }
}

/** What this browser knows of an order without asking the market. */
const stageLabels: Readonly<Record<StoredOrder['stage'], string>> = {
  placed: 'Ordered',
  paid: 'Paid',
  closed: 'Closed',
};

interface OrderCardProps {
  readonly kept: StoredOrder;
  readonly replacement: Replacement | undefined;
  /** Asks for confirmation. */
  readonly onForget: (orderKey: string) => void;
  /** Forgets the order without asking: there is nothing to lose. */
  readonly onDrop: (orderKey: string) => void;
}

/** One order: its number, state and goods, and what can be done with it now. */
function OrderCard({ kept, replacement, onForget, onDrop }: OrderCardProps) {
  const { key, placedAt, stage } = kept;
  const { data, error, refetch } = useOrder(key);
  const [now] = useState(Date.now);
  useFocusHeadingOnUnmount();
  const heading = useRef<HTMLHeadingElement>(null);
  const retry = () => {
    // The button goes with its message; the card stays.
    heading.current?.focus({ preventScroll: true });
    void refetch();
  };
  const number = orderNumber(key);
  /** What the name of a button says besides: there is one of each for every order. */
  const of = <span className={layout.visuallyHidden}>, order {number}</span>;
  const shown = data && toCardState(toBuyerOrderState(data, placedAt, now), replacement);
  const badge = data && shown && toBadge(data, shown);
  const at = data?.created_at ?? placedAt;
  return (
    <li className={`${panelStyles.panel} ${orderCardStyles.order}`}>
      <div className={`${layout.row} ${layout.wrap}`}>
        <h2 ref={heading} tabIndex={-1} className={orderCardStyles.number}>
          <span className={layout.visuallyHidden}>Order </span>
          {number}
        </h2>
        <Badge {...badge}>{badge?.label ?? stageLabels[stage]}</Badge>
        {!Number.isNaN(Date.parse(at)) && (
          <time className={`${layout.small} ${layout.muted} ${orderCardStyles.when}`} dateTime={at}>
            {formatTime(at)}
          </time>
        )}
      </div>
      {data !== undefined && shown !== undefined ? (
        <KnownOrder order={data} shown={shown} replacement={replacement} of={of}>
          <Button look="ghost" size="s" onClick={() => onForget(key)}>
            Forget on this device{of}
          </Button>
        </KnownOrder>
      ) : (
        <OrderNotLoaded error={error} of={of} onRetry={retry} onDrop={() => onDrop(key)} />
      )}
    </li>
  );
}

interface KnownOrderProps {
  readonly order: Order;
  readonly shown: CardState;
  readonly replacement: Replacement | undefined;
  readonly of: ReactNode;
  /** One more action. */
  readonly children: ReactNode;
}

function KnownOrder({ order, shown, replacement, of, children }: KnownOrderProps) {
  const { transactionId } = orderKeyParts(order.transactionId);
  return (
    <>
      <OrderGoods goods={order.lines} showSellers />
      <div className={`${layout.row} ${layout.spaceBetween} ${orderCardStyles.foot}`}>
        <p className={layout.small}>{cardText(order, shown, replacement)}</p>
        <p className={orderCardStyles.share}>
          <span className={`${layout.small} ${layout.muted}`}>Total</span>
          <b>
            <Naira amount={order.amount} />
          </b>
        </p>
      </div>
      <OtherPayment order={order} />
      <div className={`${layout.row} ${layout.wrap} ${styles.acts}`}>
        {shown === 'unpaid' && (
          <PayAgain size="s" order={order}>
            Pay{of}
          </PayAgain>
        )}
        {shown === 'expired' && (
          <PayAgain size="s" order={order}>
            Order again{of}
          </PayAgain>
        )}
        {shown === 'asked' && (
          <ButtonLink size="s" to={`${pagePaths.deliveryConfirmation}#${order.transactionId}`}>
            Confirm delivery{of}
          </ButtonLink>
        )}
        {order.paid_at !== null && (
          <ButtonLink look="line" size="s" to={pagePath('receipt', { transactionId })}>
            Receipt{of}
          </ButtonLink>
        )}
        {shown === 'delivered' && (
          <ButtonLink look="line" size="s" to={pagePaths.reviews}>
            Say how it was
          </ButtonLink>
        )}
        {children}
      </div>
      {shown === 'asked' && <ProblemReport order={order}>{of}</ProblemReport>}
    </>
  );
}

interface OrderNotLoadedProps {
  readonly error: Error | null;
  readonly of: ReactNode;
  readonly onRetry: () => void;
  readonly onDrop: () => void;
}

/** An order whose details are loading, unknown to the market, or out of reach. */
function OrderNotLoaded({ error, of, onRetry, onDrop }: OrderNotLoadedProps) {
  if (error === null)
    return (
      <div className={styles.coming} aria-busy="true">
        <Skeleton height={52} />
        <Skeleton height={96} />
      </div>
    );
  if (error instanceof ApiError && error.status === 404)
    return (
      <div className={styles.unread}>
        <p>The market does not know this order any more. Its record may have been removed.</p>
        <Button look="line" size="s" onClick={onDrop}>
          Take it off the list{of}
        </Button>
      </div>
    );
  return (
    <div className={styles.unread} role="status">
      <p>{errorMessage(error)}</p>
      <Button look="line" size="s" onClick={onRetry}>
        Try again{of}
      </Button>
    </div>
  );
}
