import { DAY_MS, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { Banknote, Clock, Lock, PackageCheck, PackageX, Undo2 } from 'lucide-react';
import type { Transaction } from '../../api/types.js';
import type { StatusLook } from '../../ui/Badge.js';
import * as layout from '../../ui/layout.module.css';
import { formatCount } from '../../ui/Price.js';

/** The value, or 'removed': personal values read as null once their key is destroyed. */
export const orRemoved = (value: string | null) => value ?? 'removed';

/** A filter value used in place of a received value: all orders that need a person. */
export const NEEDS_PERSON = 'WAITING';

/** Whether the time that a buyer has to confirm is over. */
export const isOverdue = (paidAt: string | null): boolean =>
  paidAt !== null && Date.now() >= Date.parse(paidAt) + UNCONFIRMED_AFTER_MS;

/** Whether an order is disputed, or was paid long ago and is neither confirmed nor disputed. */
export const needsPerson = ({ recieved, paid_at }: Transaction): boolean =>
  recieved === 'DISPUTED' || (recieved === 'PENDING' && isOverdue(paid_at));

/** 'paid 16 days ago'; null for an unpaid order. */
export function formatPaidAge(paidAt: string | null): string | null {
  if (paidAt === null) return null;
  const days = Math.floor((Date.now() - Date.parse(paidAt)) / DAY_MS);
  if (days < 1) return 'paid less than a day ago';
  return `paid ${formatCount(days, 'day')} ago`;
}

/** Badges of an order's delivery state. DELIVERED keeps the exact spelling of its filter value. */
export const deliveryBadges: Readonly<Record<Transaction['recieved'], StatusLook>> = {
  PENDING: { tone: 'wait', icon: Clock, label: 'Pending' },
  DISPUTED: { tone: 'bad', icon: PackageX, label: 'Disputed' },
  DELIVERED: { tone: 'safe', icon: PackageCheck, label: 'DELIVERED' },
  REFUNDED: { tone: 'grey', icon: Undo2, label: 'Refunded' },
};

/** Badges of one seller's share. */
export const shareBadges: Readonly<Record<Transaction['shares'][number]['status'], StatusLook>> = {
  held: { tone: 'wait', icon: Lock, label: 'Held' },
  disputed: { tone: 'bad', icon: PackageX, label: 'Disputed' },
  released: { tone: 'safe', icon: Banknote, label: 'Released' },
  'paid-out': { tone: 'safe', icon: Banknote, label: 'Paid out' },
  refunded: { tone: 'grey', icon: Undo2, label: 'Refunded' },
};

/** The buyer's complaints, one for each share in dispute. */
export function Complaints({ transaction }: { readonly transaction: Transaction }) {
  return transaction.shares
    .filter(({ status }) => status === 'disputed')
    .map(({ user_id, businessName, complaint }) => (
      <p key={user_id}>
        ‘<bdi>{orRemoved(complaint ?? null)}</bdi>’{' '}
        <span className={layout.muted}>
          of <bdi>{businessName}</bdi>
        </span>
      </p>
    ));
}
