import type { Sealed, SellerEvent } from '@oja/domain';
import { equality, newestFirst, type ReadModel, sorted } from './model.js';

/** A seller, as shown in their profile and the admins' lists. Id: the seller's. */
export type SellerDocument = {
  readonly sellerId: string;
  /** Sealed for stream `seller-<id>`, fields `name` and `phone`. */
  readonly name: Sealed;
  readonly phone: Sealed;
  readonly businessName: string;
  readonly businessNameKey: string;
  /** A head admin. */
  readonly isAdmin: boolean;
  readonly isSubAdmin: boolean;
  /** Head admin or sub-admin: shown in the list of admins. */
  readonly isStaff: boolean;
  readonly isSuspended: boolean;
  readonly registeredAt: string;
  readonly payoutAccount: {
    readonly accountName: Sealed;
    readonly accountNumber: Sealed;
    readonly bankCode: Sealed;
  } | null;
  /** Sealed for stream `seller-<id>`, fields `email` and `code`. */
  readonly letters: {
    /** The number of the last request for a code; 0 before the first. */
    readonly asks: number;
    /** The address that waits for its code. `at`: ISO 8601. */
    readonly asked: { readonly email: Sealed; readonly code: Sealed; readonly at: string } | null;
    /** The confirmed address. */
    readonly email: Sealed | null;
  };
  /** The seller gets letters about events after this time (ISO 8601); null when letters are off. */
  readonly lettersSince: string | null;
  /** The seller's personal values are erased, or about to be. */
  readonly erased: boolean;
};

/** An erased seller. Id: the seller's. Separate, because the event comes from another stream. */
type SellerErasureDocument = { readonly at: string };

/** Events of a seller's access and bank account, which may be the doing of somebody else who knows the password. */
export const securityEvents = [
  'SellerLettersSwitched',
  'PayoutAccountSet',
  'SellerPasswordChanged',
  'SellerPasswordReset',
] as const satisfies readonly SellerEvent['type'][];
export type SecurityEvent = (typeof securityEvents)[number];
export const isSecurityEvent = (type: string): type is SecurityEvent =>
  securityEvents.some((event) => event === type);

/** Those, and that another address or none gets the letters. */
export type WarnedEvent = SecurityEvent | 'SellerEmailConfirmed' | 'SellerEmailRemoved';

/**
 * Such an event, and the address that was confirmed before it: its owner is told, whatever is done afterwards. Id:
 * `<seller>/<event>`.
 */
export type SellerWarningDocument = {
  readonly type: WarnedEvent;
  /** Sealed as in `SellerDocument`. */
  readonly email: Sealed;
  readonly at: string;
};

export type SellersCollections = {
  readonly sellers: SellerDocument;
  readonly warnings: SellerWarningDocument;
  readonly erasures: SellerErasureDocument;
};

export const sellers = {
  name: 'sellers',
  version: 5,
  collections: {
    sellers: [
      equality('businessNameKey'),
      equality('isAdmin', 'erased'),
      equality('isStaff', 'erased'),
      newestFirst([], ['registeredAt']),
      sorted([], ['lettersSince']),
    ],
    warnings: [],
    erasures: [],
  },
} as const satisfies ReadModel<keyof SellersCollections>;
