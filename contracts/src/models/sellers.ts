import type { Sealed } from '@oja/domain';
import { equality, newest, type ReadModel } from './model.js';

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
  /** Their personal values are gone for good, or about to go. */
  readonly erased: boolean;
};

/** A seller who is to be forgotten; id: the seller's. Kept apart, since it is told by another stream. */
export type SellerErasureDocument = { readonly at: string };

export type SellersCollections = {
  readonly sellers: SellerDocument;
  readonly erasures: SellerErasureDocument;
};

export const sellers = {
  name: 'sellers',
  version: 1,
  collections: {
    sellers: [
      equality('businessNameKey'),
      newest(['isAdmin'], ['registeredAt']),
      newest(['isStaff'], ['registeredAt']),
      newest([], ['registeredAt']),
    ],
    erasures: [],
  },
} as const satisfies ReadModel<keyof SellersCollections>;
