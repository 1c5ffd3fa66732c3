import { subjectId } from '@oja/domain';

interface SellerOrSubject {
  readonly data: { readonly sellerId: string } | { readonly subject: string };
}

/** The seller whom an event is about; null when it erases a person who is no seller. */
export const sellerIdOf = ({ data }: SellerOrSubject): string | null =>
  'subject' in data ? subjectId('seller', data.subject) : data.sellerId;
