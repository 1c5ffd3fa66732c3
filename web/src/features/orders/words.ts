import { useQuery } from '@tanstack/react-query';
import {
  Banknote,
  Bell,
  CircleX,
  CreditCard,
  Hourglass,
  KeyRound,
  Landmark,
  type LucideIcon,
  PackageCheck,
  PackageX,
  ReceiptText,
  ShieldCheck,
  Store,
  Undo2,
} from 'lucide-react';
import { settingsQuery } from '../../api/settings.js';
import type { Payout, Sale } from '../../api/types.js';
import type { BadgeTone } from '../../ui/Badge.js';
import type { TimelineStep } from '../../ui/Timeline.js';

interface Sign {
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
  readonly words: string;
}

type SaleStatus = Sale['status'];

/** Badge for the state of a seller's share of an order. */
export const saleSigns: Readonly<Record<SaleStatus, Sign>> = {
  held: { tone: 'wait', icon: ShieldCheck, words: 'Paid' },
  released: { tone: 'safe', icon: PackageCheck, words: 'Delivered' },
  'paid-out': { tone: 'safe', icon: Banknote, words: 'Paid out' },
  disputed: { tone: 'bad', icon: PackageX, words: 'In dispute' },
  refunded: { tone: 'grey', icon: Undo2, words: 'Refunded' },
};

/** Badge for the state of a payout. */
export const payoutSigns: Readonly<Record<Payout['status'], Sign>> = {
  'on-its-way': { tone: 'wait', icon: Hourglass, words: 'On its way' },
  sent: { tone: 'safe', icon: Banknote, words: 'Sent' },
  failed: { tone: 'bad', icon: CircleX, words: 'Failed' },
  'came-back': { tone: 'bad', icon: Undo2, words: 'Came back' },
};

/** Why a payout has its state, and what comes next; empty where the state says it all. */
export function payoutWhy({ status, reason }: Pick<Payout, 'status' | 'reason'>): string {
  const bank = status === 'came-back' ? 'Your bank sent it back.' : 'Your bank refused it.';
  switch (reason) {
    case 'bank':
      return `${bank} Check your bank details: Oja will pay again.`;
    case 'stopped':
      return 'Oja stopped it before it arrived, and will pay again.';
    case 'taken-back':
      return "The buyer's bank took the payment back, so it is not paid again.";
    case 'late':
      return 'Oja had stopped it, and it arrived after all.';
    case null:
      return '';
  }
}

const statuses = ['held', 'released', 'paid-out', 'disputed', 'refunded'] as const;

export const isStatus = (text: string): text is SaleStatus =>
  statuses.some((status) => status === text);

export { statuses };

const pack = 'Pack it and write the number on it.';

const toDo: Readonly<Record<Exclude<SaleStatus, 'held'>, string>> = {
  released: 'Nothing more to do. Your money is payable.',
  'paid-out': 'Nothing more to do. Your money was sent.',
  disputed: 'Oja is looking into it and will write to you. Keep any proof of the hand-over.',
  refunded: 'Do not hand it over. The buyer gets the money back.',
};

/** What the seller does now. For a paid order this depends on how the market collects goods. */
export function useToDo(status: SaleStatus): string {
  const { data: settings } = useQuery(settingsQuery);
  if (status !== 'held') return toDo[status];
  if (settings === undefined) return pack;
  const { dropOffAddress } = settings;
  return `${pack} ${dropOffAddress === '' ? 'Oja collects from you.' : `Bring it to ${dropOffAddress}.`}`;
}

export const pieces = (count: number) => `${count} ${count === 1 ? 'piece' : 'pieces'}`;

/** What a seller gets of an order, in naira: nothing once the buyer gets it back. */
export const sellerGets = ({ status, share }: Pick<Sale, 'status' | 'share'>): number =>
  status === 'refunded' ? 0 : share;

/** The number of pieces in an order. */
export const quantityOf = ({ items }: Sale) =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

type StepSign = Pick<TimelineStep, 'icon' | 'tone'> & { readonly words?: string };

/** Icon, tone and heading per event type, in an order's history and above its notice. */
const stepSigns: Readonly<Record<string, StepSign>> = {
  PaymentVerified: { icon: ShieldCheck, tone: 'ok' },
  PaymentDisputed: { icon: CreditCard, tone: 'bad', words: 'Bank dispute' },
  PaymentDisputeClosed: { icon: CreditCard, words: 'Bank dispute ended' },
  PaymentReversed: { icon: CreditCard, tone: 'bad', words: 'Payment taken back' },
  PaymentRestored: { icon: CreditCard, tone: 'ok', words: 'Payment came back' },
  DeliveryNotYet: { icon: Bell },
  DeliveryDisputed: { icon: PackageX, tone: 'bad', words: 'Dispute' },
  DisputeResolved: { icon: ShieldCheck, words: 'Dispute ended' },
  DeliveryConfirmed: { icon: PackageCheck, tone: 'ok' },
  SellerShareReleased: { icon: Banknote, tone: 'ok', words: 'Money released' },
  PayoutRequested: { icon: Banknote },
  PayoutCompleted: { icon: Banknote, tone: 'ok', words: 'Payout sent' },
  PayoutFailed: { icon: Banknote, tone: 'bad', words: 'Payout failed' },
  RefundRequested: { icon: Undo2, words: 'Refund' },
  SellerSuspended: { icon: Store, tone: 'bad', words: 'Store suspended' },
  SellerReinstated: { icon: Store, tone: 'ok', words: 'Store open again' },
  PayoutAccountSet: { icon: Landmark, words: 'Bank account changed' },
  SellerPasswordChanged: { icon: KeyRound, words: 'Password changed' },
  SellerPasswordReset: { icon: KeyRound, words: 'One-time password' },
};

/** The look of an event type; one that is not listed gets a plain receipt icon. */
export const stepSign = (type: string): StepSign => stepSigns[type] ?? { icon: ReceiptText };
