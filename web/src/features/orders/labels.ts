import { useQuery } from '@tanstack/react-query';
import {
  Banknote,
  Bell,
  CircleX,
  CreditCard,
  Hourglass,
  KeyRound,
  Landmark,
  PackageCheck,
  PackageX,
  ReceiptText,
  ShieldCheck,
  Store,
  Undo2,
} from 'lucide-react';
import { settingsQuery } from '../../api/settings.js';
import type { Payout, Sale } from '../../api/types.js';
import type { StatusLook } from '../../ui/Badge.js';
import type { TimelineStep } from '../../ui/Timeline.js';

type SaleStatus = Sale['status'];

/** Badge for the state of a seller's share of an order. */
export const saleBadges: Readonly<Record<SaleStatus, StatusLook>> = {
  held: { tone: 'wait', icon: ShieldCheck, label: 'Paid' },
  released: { tone: 'safe', icon: PackageCheck, label: 'Delivered' },
  'paid-out': { tone: 'safe', icon: Banknote, label: 'Paid out' },
  disputed: { tone: 'bad', icon: PackageX, label: 'In dispute' },
  refunded: { tone: 'grey', icon: Undo2, label: 'Refunded' },
};

/** Badge for the state of a payout. */
export const payoutBadges: Readonly<Record<Payout['status'], StatusLook>> = {
  'on-its-way': { tone: 'wait', icon: Hourglass, label: 'On its way' },
  sent: { tone: 'safe', icon: Banknote, label: 'Sent' },
  failed: { tone: 'bad', icon: CircleX, label: 'Failed' },
  'came-back': { tone: 'bad', icon: Undo2, label: 'Came back' },
};

/**
 * Why a payout has its state, and what comes next; empty where the state says it all. Nothing comes next where another
 * payout has paid it since, or the buyer's bank has taken the payment back.
 */
export function explainPayout({
  status,
  reason,
  owed,
}: Pick<Payout, 'status' | 'reason' | 'owed'>): string {
  const bank = status === 'came-back' ? 'Your bank sent it back.' : 'Your bank refused it.';
  switch (reason) {
    case 'bank':
      return owed ? `${bank} Check your bank details: Oja will pay again.` : bank;
    case 'stopped':
      return `Oja stopped it before it arrived${owed ? ', and will pay again' : ''}.`;
    case 'taken-back':
      return "The buyer's bank took the payment back, so it is not paid again.";
    case 'late':
      return 'Oja had stopped it, and it arrived after all.';
    case null:
      return '';
  }
}

export const statuses = ['held', 'released', 'paid-out', 'disputed', 'refunded'] as const;

export const isStatus = (text: string): text is SaleStatus =>
  statuses.some((status) => status === text);

const PACK_INSTRUCTION = 'Pack it and write the number on it.';

const instructions: Readonly<Record<Exclude<SaleStatus, 'held'>, string>> = {
  released: 'Nothing more to do. Your money is payable.',
  'paid-out': 'Nothing more to do. Your money was sent.',
  disputed: 'Oja is looking into it and will write to you. Keep any proof of the hand-over.',
  refunded: 'Do not hand it over. The buyer gets the money back.',
};

/** Money that has not gone to the seller waits for the bank, which may take it: the seller may have to prove something. */
const whileBankDisputes: Readonly<Partial<Record<SaleStatus, string>>> = {
  held: "The buyer's bank disputes the payment: keep any proof of the hand-over.",
  released:
    "The buyer's bank disputes the payment. Your money is paid out once that is settled, unless the bank takes it back. Keep any proof of the hand-over.",
};

/** What the seller does now. For a paid order this depends on how the market collects goods. */
export function useInstruction({
  status,
  bank_disputed,
}: Pick<Sale, 'status' | 'bank_disputed'>): string {
  const { data: settings } = useQuery(settingsQuery);
  const disputed = bank_disputed ? whileBankDisputes[status] : undefined;
  if (status !== 'held') return disputed ?? instructions[status];
  const place = settings && toHandOver(settings.dropOffAddress);
  return [PACK_INSTRUCTION, place, disputed].filter((one) => one !== undefined).join(' ');
}

const toHandOver = (dropOffAddress: string) =>
  dropOffAddress === '' ? 'Oja collects from you.' : `Bring it to ${dropOffAddress}.`;

export const formatPieces = (count: number) => `${count} ${count === 1 ? 'piece' : 'pieces'}`;

/** What a seller gets of an order, in naira: nothing once the buyer gets it back. */
export const sellerAmount = ({ status, share }: Pick<Sale, 'status' | 'share'>): number =>
  status === 'refunded' ? 0 : share;

/** The number of pieces in an order. */
export const countPieces = ({ items }: Sale) =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

type EventLook = Pick<TimelineStep, 'icon' | 'tone'> & { readonly label?: string };

/** Icon, tone and heading per event type, in an order's history and above its notice. */
const eventLooks: Readonly<Record<string, EventLook>> = {
  PaymentVerified: { icon: ShieldCheck, tone: 'ok' },
  PaymentDisputed: { icon: CreditCard, tone: 'bad', label: 'Bank dispute' },
  PaymentDisputeClosed: { icon: CreditCard, label: 'Bank dispute ended' },
  PaymentReversed: { icon: CreditCard, tone: 'bad', label: 'Payment taken back' },
  PaymentReturnedInPart: { icon: CreditCard, tone: 'bad', label: 'Part taken back' },
  PaymentRestored: { icon: CreditCard, tone: 'ok', label: 'Payment came back' },
  DeliveryNotYet: { icon: Bell },
  DeliveryDisputed: { icon: PackageX, tone: 'bad', label: 'Dispute' },
  DisputeResolved: { icon: ShieldCheck, label: 'Dispute ended' },
  DeliveryConfirmed: { icon: PackageCheck, tone: 'ok' },
  SellerShareReleased: { icon: Banknote, tone: 'ok', label: 'Money released' },
  PayoutRequested: { icon: Banknote },
  PayoutCompleted: { icon: Banknote, tone: 'ok', label: 'Payout sent' },
  PayoutFailed: { icon: Banknote, tone: 'bad', label: 'Payout failed' },
  PayoutStopped: { icon: Banknote },
  RefundRequested: { icon: Undo2, label: 'Refund' },
  SellerSuspended: { icon: Store, tone: 'bad', label: 'Store suspended' },
  SellerReinstated: { icon: Store, tone: 'ok', label: 'Store open again' },
  PayoutAccountSet: { icon: Landmark, label: 'Bank account changed' },
  SellerPasswordChanged: { icon: KeyRound, label: 'Password changed' },
  SellerPasswordReset: { icon: KeyRound, label: 'One-time password' },
};

/** The look of an event type; one that is not listed gets a plain receipt icon. */
export const eventLook = (type: string): EventLook => eventLooks[type] ?? { icon: ReceiptText };
