import type { Sealed } from '@oja/domain';
import { equality, newest, type ReadModel, sorted } from './model.js';

/** A seller as the profile and the admins' lists show them; id: the seller's. */
export type SellerDocument = {
  readonly sellerId: string;
  /** Sealed on stream `seller-<id>`, fields `name` and `phone`. */
  readonly name: Sealed;
  readonly phone: Sealed;
  readonly businessName: string;
  readonly businessNameKey: string;
  /** The head admin. */
  readonly isAdmin: boolean;
  readonly isSubAdmin: boolean;
  /** Either of the two: in the list of admins. */
  readonly isStaff: boolean;
  readonly isSuspended: boolean;
  readonly registeredAt: string;
  readonly payoutAccount: {
    readonly accountName: Sealed;
    readonly accountNumber: Sealed;
    readonly bankCode: Sealed;
  } | null;
  /** Sealed on stream `seller-<id>`, fields `email` and `code`. */
  readonly letters: {
    /** The number of the last asking; 0: no address was ever given. */
    readonly asks: number;
    /** An address whose code has not been typed yet. `at`: ISO 8601. */
    readonly asked: { readonly email: Sealed; readonly code: Sealed; readonly at: string } | null;
    /** The confirmed address. */
    readonly email: Sealed | null;
  };
  /** ISO 8601: what happened later is written to them about; null: letters are off. */
  readonly lettersSince: string | null;
  /** Their personal values are gone for good, or about to go. */
  readonly erased: boolean;
};

/** A seller who is to be forgotten; id: the seller's. Kept apart, since it is told by another stream. */
type SellerErasureDocument = { readonly at: string };

export type SellersCollections = {
  readonly sellers: SellerDocument;
  readonly erasures: SellerErasureDocument;
};

export const sellers = {
  name: 'sellers',
  version: 2,
  collections: {
    sellers: [
      equality('businessNameKey'),
      newest(['isAdmin'], ['registeredAt']),
      newest(['isStaff'], ['registeredAt']),
      newest([], ['registeredAt']),
      sorted([], ['lettersSince']),
    ],
    erasures: [],
  },
} as const satisfies ReadModel<keyof SellersCollections>;
