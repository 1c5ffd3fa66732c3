import { pagePaths } from '@oja/contracts/pages';
import { useIsFetching } from '@tanstack/react-query';
import { ChevronRight, PackageSearch, PackageX, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { useReplaceAddress } from '../../app/navigation.js';
import { Screen } from '../../app/Screen.js';
import { saveOrder, setDeliveryStatus, useOrders } from '../../stores/orders.js';
import { ButtonLink } from '../../ui/Button.js';
import { focusHeading, recoverLostFocus } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState, StepButton } from '../../ui/States.js';
import { Stepper } from '../../ui/Stepper.js';
import { DeliveryQuestion } from './DeliveryQuestion.js';
import { OrderOutcome } from './OrderOutcome.js';
import { formatDate, joinNames, toOrderState } from './order.js';
import * as styles from './order.module.css';
import { useOrder } from './payments.js';

/** 'Have you received the product?' for one order at a time, with the other orders of this browser below. */
export default function DeliveryConfirmationPage() {
  const { selected, isLinkIncomplete, others, choose, markKnown } = useSelectedOrder();
  const asking = useIsFetching({ queryKey: ['orders'] }) > 0;
  return (
    <Screen
      title="Have you received the product?"
      className={`${layout.page} ${layout.narrow} ${styles.page}`}
    >
      {selected !== undefined && (
        <OrderToConfirm key={selected} orderKey={selected} onKnown={markKnown} />
      )}
      {isLinkIncomplete && <IncompleteLink />}
      {selected === undefined &&
        !isLinkIncomplete &&
        (asking ? <ConfirmationSkeleton /> : <NothingToConfirm />)}
      <OtherOrders keys={others} onChoose={choose} />
      <p className={`${layout.centered} ${layout.moreBelow}`}>
        <Link className={layout.link} to={pagePaths.myOrders}>
          My orders on this device
        </Link>
      </p>
    </Screen>
  );
}

interface OrderToConfirmProps {
  readonly orderKey: string;
  /** Called when the server has returned the order. */
  readonly onKnown: () => void;
}

/** One order, whatever its state. */
function OrderToConfirm({ orderKey, onKnown }: OrderToConfirmProps) {
  const { data, error, fetchStatus, refetch } = useOrder(orderKey);
  const known = data !== undefined;
  useEffect(() => {
    if (known) onKnown();
  }, [known, onKnown]);
  const state = data && toOrderState(data);
  const failed = error !== null;
  useEffect(() => {
    // What is shown now has a heading of its own; the one that had the focus is gone.
    if (state !== undefined || failed) recoverLostFocus();
  }, [state, failed]);

  if (data !== undefined && state !== undefined) {
    return state === 'asked' ? (
      <DeliveryQuestion order={data} />
    ) : (
      <OrderOutcome order={data} state={state} />
    );
  }
  if (error instanceof ApiError && error.status === 404)
    return <UnknownOrder orderKey={orderKey} />;
  return (
    <OrderNotLoaded
      error={error}
      paused={fetchStatus === 'paused'}
      onRetry={() => void refetch()}
    />
  );
}

interface OrderNotLoadedProps {
  readonly error: Error | null;
  readonly paused: boolean;
  readonly onRetry: () => void;
}

function OrderNotLoaded({ error, paused, onRetry }: OrderNotLoadedProps) {
  const offline = paused || (error instanceof ApiError && error.code === 'offline');
  if (error === null && !offline) return <ConfirmationSkeleton />;
  return (
    <>
      <h1 className={layout.visuallyHidden}>Have you received the product?</h1>
      {offline ? (
        <OfflineState
          action={
            <StepButton onPress={onRetry}>
              <Icon of={RefreshCw} size="s" />
              Try again
            </StepButton>
          }
        />
      ) : (
        <ErrorState onRetry={onRetry} />
      )}
    </>
  );
}

/** Shown when the server does not know the order: a wrong link, or a record that was removed after delivery. */
function UnknownOrder({ orderKey }: { readonly orderKey: string }) {
  const kept = useOrders().some(({ key, stage }) => key === orderKey && stage !== 'closed');
  return (
    <EmptyState
      motif="lozenge"
      icon={PackageX}
      paper
      headingLevel="h1"
      title="We do not know this order"
      line="Open the whole link from your receipt. If it still leads here, the record of this order was removed after delivery."
      action={
        kept ? (
          <StepButton onPress={() => saveOrder(orderKey, 'closed')}>
            Take it off my orders
          </StepButton>
        ) : (
          <ButtonLink to={pagePaths.contact}>Contact us</ButtonLink>
        )
      }
    />
  );
}

/** Shown for the link of a receipt of which only a part has arrived. */
function IncompleteLink() {
  return (
    <EmptyState
      motif="lozenge"
      icon={PackageX}
      paper
      headingLevel="h1"
      title="This link is not complete"
      line="A part of it was lost on the way. Copy the whole link from your receipt e-mail, up to its last letter, and open it here."
      action={<ButtonLink to={pagePaths.contact}>Contact us</ButtonLink>}
    />
  );
}

/** Shown when this browser has no open order. It also turns off the bell, which may have led here. */
function NothingToConfirm() {
  useEffect(() => setDeliveryStatus('AVAILABLE'), []);
  return (
    <EmptyState
      motif="lozenge"
      icon={PackageSearch}
      headingLevel="h1"
      title="There is no delivery to confirm"
      line="Did you pay on another phone or browser? Open the link in your receipt e-mail here."
      action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
    />
  );
}

/** The question while its order loads. */
function ConfirmationSkeleton() {
  return (
    <>
      <div className={styles.steps}>
        <Stepper current={3} />
      </div>
      <section
        className={`${panelStyles.panel} ${styles.outcome} ${layout.stack}`}
        aria-busy="true"
      >
        <h1 className={layout.centered}>Have you received the product?</h1>
        <Skeleton height={40} />
        <Skeleton height={52} />
        <Skeleton height={52} />
        <Skeleton height={56} />
      </section>
    </>
  );
}

interface OtherOrdersProps {
  readonly keys: readonly string[];
  readonly onChoose: (orderKey: string) => void;
}

/** The other orders that this browser has paid and not confirmed. */
function OtherOrders({ keys, onChoose }: OtherOrdersProps) {
  if (keys.length === 0) return null;
  return (
    <section className={styles.otherOrders} aria-label="Your other orders">
      <h2 className={layout.heading}>Your other orders</h2>
      <ul>
        {keys.map((key) => (
          <OtherOrder key={key} orderKey={key} onChoose={() => onChoose(key)} />
        ))}
      </ul>
    </section>
  );
}

/** An order that is unpaid, delivered or not loaded gets no line. */
function OtherOrder({
  orderKey,
  onChoose,
}: {
  readonly orderKey: string;
  readonly onChoose: () => void;
}) {
  const { data } = useOrder(orderKey);
  const choose = () => {
    onChoose();
    focusHeading();
  };
  if (data === undefined || data.paid_at === null || toOrderState(data) === 'delivered')
    return null;
  return (
    <li>
      <button
        type="button"
        className={`${styles.otherOrder} ${panelStyles.panel}`}
        onClick={choose}
      >
        <span className={layout.grow}>
          <b>{joinNames(data.lines.map(({ prod_name }) => prod_name))}</b>
          <small className={`${layout.muted} ${layout.figures}`}>
            <Naira amount={data.amount} />, paid {formatDate(data.paid_at)}
          </small>
        </span>
        <Icon of={ChevronRight} />
      </button>
    </li>
  );
}

/** The largest number of other orders to load, newest first, for a browser that shops a lot. */
const MAX_OTHER_ORDERS = 10;

/** The order key in the address, as in the receipt's link: `#<id>.<secret>`. */
function parseOrderKey(hash: string): string | undefined {
  return /^#([0-9a-f-]{36}\.[\w-]{22})$/.exec(hash)?.[1];
}

/** The address of the skip link, which is no link to an order. */
const SKIP_LINK_HASH = '#main';

/**
 * The order that the page is about: that of the receipt's link, the one that its entry of the history names, or the
 * newest unconfirmed one. The entry names it from then on, so that a reload or Back asks about no other: Yes cannot be
 * taken back. A link that is cut off is about none of this browser's orders, for the same reason.
 */
function useSelectedOrder() {
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const open = useOrders().filter(({ stage }) => stage !== 'closed');
  /** The order whose answer is there; it is stored in this browser then. */
  const [known, setKnown] = useState<string>();
  const named = typeof state?.orderKey === 'string' ? state.orderKey : undefined;
  const linked = parseOrderKey(hash);
  const isLinkIncomplete = linked === undefined && hash !== '' && hash !== SKIP_LINK_HASH;
  const newest = open.find(({ stage }) => stage === 'paid')?.key;
  const selected = isLinkIncomplete ? undefined : (linked ?? named ?? newest);

  // Removes the secret from the address bar too. An order that is not known here can be looked for by its link alone.
  const isNamed = linked === undefined ? named === selected : known !== linked;
  const entryState = useMemo(() => ({ orderKey: selected }), [selected]);
  useReplaceAddress(selected === undefined || isNamed ? undefined : pathname, entryState);

  return {
    selected,
    isLinkIncomplete,
    others: open
      .map(({ key }) => key)
      .filter((key) => key !== selected)
      .slice(0, MAX_OTHER_ORDERS),
    choose: (orderKey: string) =>
      void navigate(pathname, { replace: true, preventScrollReset: true, state: { orderKey } }),
    /** Called when the selected order is known. */
    markKnown: () => setKnown(selected),
  };
}
