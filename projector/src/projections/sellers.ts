import {
  sellers as model,
  type SellerDocument,
  type SellersCollections,
  type WarnedEvent,
} from '@oja/contracts/models';
import {
  businessNameKey,
  type EventOf,
  isLetterEvent,
  operationsEvents,
  type SellerLetterEvent,
  sellerEvents,
  subjectId,
} from '@oja/domain';
import { define, put } from './define.js';

const { SubjectErased } = operationsEvents;
// A claim that was given up says nothing about the seller, and may come before the registration.
const { BusinessNameForgone: _, ...events } = sellerEvents;
type SellerEvent = EventOf<typeof events>;

interface SellerOrSubject {
  readonly data: { readonly sellerId: string } | { readonly subject: string };
}

/** The seller whom an event is about; null when it erases a person who is no seller. */
export const sellerIdOf = ({ data }: SellerOrSubject): string | null =>
  'subject' in data ? subjectId('seller', data.subject) : data.sellerId;

/** Whether the owner of the confirmed address is told. The first bank account is nobody else's doing. */
function isWarned(
  event: SellerEvent,
  { payoutAccount }: SellerDocument,
): event is Extract<SellerEvent, { readonly type: WarnedEvent }> {
  switch (event.type) {
    case 'SellerEmailConfirmed':
    case 'SellerEmailRemoved':
    case 'SellerPasswordChanged':
    case 'SellerPasswordReset':
      return true;
    case 'SellerLettersSwitched':
      return !event.data.on;
    case 'PayoutAccountSet':
      return payoutAccount !== null;
    default:
      return false;
  }
}

/** Sellers, for their profile and for the admins' lists. Personal values stay sealed. */
export const sellers = define<SellersCollections>()({
  model,
  scope: 'stream',
  schemas: { ...events, SubjectErased },
  reads({ event }) {
    const id = sellerIdOf(event);
    if (id === null) return [];
    return [
      { collection: 'sellers', id },
      { collection: 'erasures', id },
    ];
  },
  project(fact, documents) {
    const { event, at } = fact;
    const sellerId = sellerIdOf(event);
    if (sellerId === null) return [];
    if (event.type === 'SubjectErased') {
      const seller = documents.get('sellers', sellerId);
      return [
        put('erasures', sellerId, { at: event.data.at }),
        ...(seller === null ? [] : [put('sellers', sellerId, { ...seller, erased: true })]),
      ];
    }
    if (event.type === 'SellerRegistered') {
      const { businessName, name, phone } = event.data;
      return [
        put('sellers', sellerId, {
          sellerId,
          name,
          phone,
          businessName,
          businessNameKey: businessNameKey(businessName),
          isAdmin: false,
          isSubAdmin: false,
          isStaff: false,
          isSuspended: false,
          registeredAt: at,
          payoutAccount: null,
          letters: { asks: 0, asked: null, email: null },
          lettersSince: null,
          erased: documents.get('erasures', sellerId) !== null,
        }),
      ];
    }
    const seller = documents.get('sellers', sellerId);
    if (seller === null) throw new Error(`${event.type} before the seller was registered`);
    const changed = {
      ...seller,
      ...(isLetterEvent(event) ? lettersAfter(seller, event, at) : changes(event)),
    };
    const isStaff = changed.isAdmin || changed.isSubAdmin;
    const { email } = seller.letters;
    return [
      put('sellers', sellerId, { ...changed, isStaff }),
      ...(email !== null && isWarned(event, seller)
        ? [put('warnings', `${sellerId}/${fact.id}`, { type: event.type, email, at })]
        : []),
    ];
  },
});

type ProfileEvent = Exclude<SellerEvent, SellerLetterEvent | { readonly type: 'SellerRegistered' }>;

function changes(event: ProfileEvent) {
  switch (event.type) {
    case 'SellerProfileUpdated': {
      const { name, phone, businessName } = event.data;
      return { name, phone, businessName, businessNameKey: businessNameKey(businessName) };
    }
    case 'SellerSuspended':
      return { isSuspended: true };
    case 'SellerReinstated':
      return { isSuspended: false };
    case 'SubAdminGranted':
      return { isSubAdmin: true };
    case 'SubAdminRevoked':
      return { isSubAdmin: false };
    case 'HeadAdminGranted':
      return { isAdmin: true };
    case 'HeadAdminRevoked':
      return { isAdmin: false };
    case 'PayoutAccountSet': {
      const { accountName, accountNumber, bankCode } = event.data;
      return { payoutAccount: { accountName, accountNumber, bankCode } };
    }
    case 'SellerPasswordChanged':
    case 'SellerPasswordReset':
      return {};
  }
}

/** E-mails are only about what happens after the address is confirmed and while letters are switched on. */
function lettersAfter(
  { letters, lettersSince }: SellerDocument,
  event: SellerLetterEvent,
  at: string,
): Partial<Pick<SellerDocument, 'letters' | 'lettersSince'>> {
  switch (event.type) {
    case 'SellerEmailAsked': {
      const { ask, email, code, at } = event.data;
      return { letters: { ...letters, asks: ask, asked: { email, code, at } } };
    }
    case 'SellerEmailMistyped':
      return {};
    case 'SellerEmailConfirmed': {
      const email = letters.asked?.email ?? letters.email;
      return {
        letters: { ...letters, asked: null, email },
        lettersSince: lettersSince ?? at,
      };
    }
    case 'SellerEmailRemoved':
      return { letters: { ...letters, asked: null, email: null }, lettersSince: null };
    case 'SellerLettersSwitched':
      return { lettersSince: event.data.on ? at : null };
  }
}
