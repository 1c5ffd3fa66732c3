import {
  Banknote,
  Clock,
  Lock,
  type LucideIcon,
  PackageCheck,
  PackageX,
  Undo2,
} from 'lucide-react';
import type { Transaction } from '../../api/types.js';
import type { BadgeTone } from '../../ui/Badge.js';

/** Personal values whose key was destroyed read as null. */
export const personalWords = (value: string | null) => value ?? 'removed';

interface Sign {
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
  readonly words: string;
}

/** Where an order stands; DELIVERED to the letter, as the table filters by it. */
export const receivedSigns: Readonly<Record<Transaction['recieved'], Sign>> = {
  PENDING: { tone: 'wait', icon: Clock, words: 'Pending' },
  DISPUTED: { tone: 'bad', icon: PackageX, words: 'Disputed' },
  DELIVERED: { tone: 'safe', icon: PackageCheck, words: 'DELIVERED' },
  REFUNDED: { tone: 'grey', icon: Undo2, words: 'Refunded' },
};

/** Where one seller's share stands. */
export const shareSigns: Readonly<Record<Transaction['shares'][number]['status'], Sign>> = {
  held: { tone: 'wait', icon: Lock, words: 'Held' },
  disputed: { tone: 'bad', icon: PackageX, words: 'Disputed' },
  released: { tone: 'safe', icon: Banknote, words: 'Released' },
  'paid-out': { tone: 'safe', icon: Banknote, words: 'Paid out' },
  refunded: { tone: 'grey', icon: Undo2, words: 'Refunded' },
};
