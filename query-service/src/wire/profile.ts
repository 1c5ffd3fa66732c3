import type { Profile } from '@oja/contracts';
import type { SellerDocument } from '@oja/contracts/models';
import { flag } from './flag.js';
import { type Personal, type SealedValues, sealedFields } from './personal.js';

const fields = ['name', 'phone'] as const;
type Name = (typeof fields)[number];

export const sellerStream = (sellerId: string) => `seller-${sellerId}`;

export const sellerValues = (document: SellerDocument): SealedValues<Name> => ({
  stream: sellerStream(document.sellerId),
  values: sealedFields(document, fields),
});

export function profile(document: SellerDocument, personal: Personal<Name>): Profile {
  return {
    user_id: document.sellerId,
    userId: document.sellerId,
    name: personal('name'),
    businessName: document.businessName,
    phone_1: personal('phone'),
    is_admin: flag(document.isAdmin),
    is_subAdmin: flag(document.isSubAdmin),
    is_suspended: flag(document.isSuspended),
    created_at: document.registeredAt,
  };
}
