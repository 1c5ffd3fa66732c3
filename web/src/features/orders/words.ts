import {
  Banknote,
  type LucideIcon,
  PackageCheck,
  PackageX,
  ShieldCheck,
  Undo2,
} from 'lucide-react';
import type { Sale } from '../../api/types.js';
import type { BadgeTone } from '../../ui/Badge.js';

interface Sign {
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
  readonly words: string;
}

export type SaleStatus = Sale['status'];

/** Where a seller's part of an order stands. */
export const saleSigns: Readonly<Record<SaleStatus, Sign>> = {
  held: { tone: 'wait', icon: ShieldCheck, words: 'Paid' },
  released: { tone: 'safe', icon: PackageCheck, words: 'Delivered' },
  'paid-out': { tone: 'safe', icon: Banknote, words: 'Paid out' },
  disputed: { tone: 'bad', icon: PackageX, words: 'In dispute' },
  refunded: { tone: 'grey', icon: Undo2, words: 'Refunded' },
};

const statuses = ['held', 'released', 'paid-out', 'disputed', 'refunded'] as const;

export const isStatus = (text: string): text is SaleStatus =>
  statuses.some((status) => status === text);

export { statuses };

/** What the seller does now. */
export const toDo: Readonly<Record<SaleStatus, string>> = {
  held: 'Pack it and write the number on it. Oja collects from you.',
  released: 'Nothing more to do. Your money is payable.',
  'paid-out': 'Nothing more to do. Your money was sent.',
  disputed: 'Oja looks into it and writes to you. Keep what you know of the hand-over.',
  refunded: 'Do not hand it over. The buyer gets the money back.',
};

export const pieces = (count: number) => `${count} ${count === 1 ? 'piece' : 'pieces'}`;

export const quantityOf = ({ items }: Sale) =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);
