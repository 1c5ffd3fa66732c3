import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Order } from '../../api/types.js';
import { Cloth } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Picture } from '../../ui/Picture.js';
import { Naira } from '../../ui/Price.js';
import * as styles from './order.module.css';

/** The state of an order, by what the buyer can do about it. */
export type OrderState =
  | 'unpaid'
  /** A payment came that could not be taken: nothing was ordered. */
  | 'returned'
  /** A share is held: the question is open. */
  | 'asked'
  | 'delivered'
  /** No share is held any more, and a complaint is being looked into. */
  | 'disputed'
  | 'refunded';

/** The state of an order. While any share is held the question stays open, even when another share is disputed. */
export function toOrderState(order: Order): OrderState {
  if (order.paid_at === null) return order.payment_returned ? 'returned' : 'unpaid';
  // The bank has given the buyer all of it, also what was paid out to a seller before.
  if (order.status === 'reversed' || order.recieved === 'REFUNDED') return 'refunded';
  if (order.recieved === 'DELIVERED') return 'delivered';
  if (order.shares.some(({ status }) => status === 'held')) return 'asked';
  return order.recieved === 'DISPUTED' ? 'disputed' : 'asked';
}

/** The stage under which this browser stores the order. */
export function toStage(order: Order): 'placed' | 'paid' | 'closed' {
  const state = toOrderState(order);
  if (state === 'unpaid') return 'placed';
  return state === 'asked' || state === 'disputed' ? 'paid' : 'closed';
}

const lagosDateFormat = new Intl.DateTimeFormat('en-NG', {
  timeZone: 'Africa/Lagos',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const lagosTimeFormat = new Intl.DateTimeFormat('en-NG', {
  timeZone: 'Africa/Lagos',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** '21 November 2026', in Lagos time. */
export const formatDate = (iso: string): string => lagosDateFormat.format(new Date(iso));
/** Weekday, day and time in Lagos, labelled 'Lagos time'. */
export const formatTime = (iso: string): string =>
  `${lagosTimeFormat.format(new Date(iso))}, Lagos time`;
/** Names joined for a sentence: 'Ada, Bisi and Chidi'. */
export const joinNames = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names);

type ShareStatus = Order['shares'][number]['status'];

/** The sellers whose shares have one of these statuses, for a sentence; empty if there are none. */
export const sellersWithStatus = ({ shares }: Order, ...statuses: readonly ShareStatus[]): string =>
  joinNames(
    shares
      .filter(({ status }) => statuses.includes(status))
      .map(({ businessName }) => businessName),
  );

/** The sellers whose money is still held, for a sentence. */
export const heldSellers = (order: Order): string => sellersWithStatus(order, 'held');

/** Sentences about money that Oja no longer holds: given back, or paid to sellers. '' while it holds everything. */
export function describeMovedMoney(order: Order): string {
  const back = sellersWithStatus(order, 'refunded');
  const given = sellersWithStatus(order, 'released', 'paid-out');
  return [
    back !== '' && `What the goods of ${back} cost goes back to you.`,
    given !== '' && `The money for the goods of ${given} went to them.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** Sentences about the shares that are disputed, given back or paid to sellers. '' while all are held. */
export function describeSettledShares(order: Order): string {
  const disputed = sellersWithStatus(order, 'disputed');
  const looking = disputed === '' ? '' : `We are looking into the goods of ${disputed}.`;
  return `${looking} ${describeMovedMoney(order)}`.trim();
}

interface OtherPaymentProps {
  readonly order: Order;
  readonly className?: string | undefined;
}

/** Tells whoever paid an order twice that the other payment goes back. No letter says so. */
export function OtherPayment({ order, className }: OtherPaymentProps): ReactNode {
  if (order.paid_at === null || order.payment_returned === undefined) return null;
  return (
    <p className={classes(layout.small, className)}>
      You paid for this order more than once. The other payment goes back to you in full; banks take
      up to ten working days to show it.
    </p>
  );
}

interface OutcomeIconProps {
  readonly of: LucideIcon;
  /** safe: the money is safe. wait: not known yet. bad: the money did not arrive. */
  readonly tone?: 'safe' | 'wait' | 'bad';
}

/** The round icon on cloth above the outcome of an order. */
export function OutcomeIcon({ of, tone = 'safe' }: OutcomeIconProps) {
  return (
    <Cloth
      as="span"
      motif="moon"
      className={classes(
        styles.seal,
        tone === 'wait' && styles.waiting,
        tone === 'bad' && styles.failed,
      )}
    >
      <Icon of={of} />
    </Cloth>
  );
}

interface OrderGoodsProps {
  readonly goods: readonly {
    readonly product_id: string;
    readonly prod_name?: string;
    readonly image_url?: string;
    readonly quantity: number;
    /** Of one piece, in naira. */
    readonly price?: number;
    /** The price of before, where it has changed. */
    readonly before?: number | undefined;
    /** The seller's name, shown with `showSellers` where goods are not listed under their seller. */
    readonly businessName?: string;
  }[];
  readonly showSellers?: boolean;
}

/** Small rows for the goods of an order: picture, name, quantity and price. */
export function OrderGoods({ goods, showSellers = false }: OrderGoodsProps): ReactNode {
  return (
    <ul className={styles.goods}>
      {goods.map(({ product_id, prod_name, image_url, quantity, price, before, businessName }) => (
        <li key={product_id}>
          <Picture url={image_url === '' ? undefined : image_url} alt="" width={52} sizes="52px" />
          <span className={layout.grow}>
            {prod_name ?? 'Product'}
            <small className={`${layout.muted} ${layout.figures}`}>
              {price === undefined ? (
                `Quantity ${quantity}`
              ) : (
                <>
                  {quantity} × <Naira amount={price} />
                </>
              )}
              {showSellers && businessName !== undefined && ` from ${businessName}`}
            </small>
            {before !== undefined && (
              <small className={`${layout.muted} ${layout.figures}`}>
                It was <Naira amount={before} />.
              </small>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
