import {
  type Act,
  asProfile,
  type Comment,
  type News,
  type Notification,
  type Profile,
  type TimelineEntry,
} from '@oja/contracts';
import type {
  ActDocument,
  CommentDocument,
  NotificationDocument,
  NotificationLine,
  SellerDocument,
  TimelineDocument,
} from '@oja/contracts/models';
import { type Sealed, streamNames } from '@oja/domain';
import { koboToNaira } from '@oja/domain/rules';
import type { Sealer } from '@oja/platform';
import type { Addresses } from './goods.js';

/** The sealed personal values of one subject, by names that the caller chooses. */
export interface SealedValues<N extends string> {
  /** The stream that the values are bound to. */
  readonly stream: string;
  readonly values: readonly {
    readonly name: N;
    /** The field that the value is bound to. */
    readonly field: string;
    readonly value: Sealed;
  }[];
}

/** Returns a value by its name; null when there is none, or its key is destroyed: shown as 'removed'. */
export type Personal<N extends string> = (name: N) => string | null;

type SealerToOpen = Pick<Sealer, 'openMany'>;

const sealedPlaces = <N extends string>({ stream, values }: SealedValues<N>) =>
  values.map(({ field, value }) => ({ stream, field, value }));

/** `opened` continues with the values of this subject, in their order. */
function byName<N extends string>(
  { values }: SealedValues<N>,
  opened: Iterator<string | null, undefined>,
): Personal<N> {
  const own = new Map(values.map(({ name }) => [name, opened.next().value ?? null]));
  return (name) => own.get(name) ?? null;
}

/** Opens the personal values of one subject. */
export async function openPersonal<N extends string>(
  sealer: SealerToOpen,
  subject: SealedValues<N>,
): Promise<Personal<N>> {
  return byName(subject, (await sealer.openMany(sealedPlaces(subject))).values());
}

/** Shows documents with their personal values, all of which are opened in one call. */
export async function showWithPersonal<D, N extends string, Shown>(
  sealer: SealerToOpen,
  documents: readonly D[],
  valuesOf: (document: D) => SealedValues<N>,
  show: (document: D, personal: Personal<N>) => Shown,
): Promise<Shown[]> {
  const subjects = documents.map((document) => ({ document, sealed: valuesOf(document) }));
  const opened = (
    await sealer.openMany(subjects.flatMap(({ sealed }) => sealedPlaces(sealed)))
  ).values();
  return subjects.map(({ document, sealed }) => show(document, byName(sealed, opened)));
}

/** Sealed values whose names are the fields that they are bound to. */
export const sealedFields = <N extends string>(
  fields: Readonly<Record<N, Sealed>>,
  names: readonly N[],
): SealedValues<N>['values'] => names.map((name) => ({ name, field: name, value: fields[name] }));

const profileFields = ['name', 'phone'] as const;
type ProfileField = (typeof profileFields)[number];

export const sellerValues = (document: SellerDocument): SealedValues<ProfileField> => ({
  stream: streamNames.seller(document.sellerId),
  values: sealedFields(document, profileFields),
});

export const profile = (document: SellerDocument, personal: Personal<ProfileField>): Profile =>
  asProfile({ ...document, name: personal('name'), phone: personal('phone') });

function joinLines(
  lines: readonly NotificationLine[],
  value: (line: NotificationLine) => string | number,
): string {
  return `:${lines.map(value).join(',')}`;
}

export function notification(
  { lines, createdAt, message }: NotificationDocument,
  images: Addresses,
): Notification {
  return {
    message,
    prod_id: joinLines(lines, ({ productId }) => productId),
    quantity: joinLines(lines, ({ quantity }) => quantity),
    created_at: createdAt,
    items: goods(lines, images),
  };
}

const goods = (lines: readonly NotificationLine[], images: Addresses) =>
  lines.map(({ productId, name, quantity, image }) => ({
    product_id: productId,
    prod_name: name,
    quantity,
    image_url: image === null ? null : images.address(image),
  }));

export const news = (document: NotificationDocument, images: Addresses): News => ({
  id: document.eventId,
  type: document.type,
  message: document.message,
  created_at: document.createdAt,
  transaction_id: document.transactionId,
  items: goods(document.lines, images),
});

export function comment(document: CommentDocument): Comment {
  return {
    comment_id: document.reviewId,
    businessName: document.businessName,
    comment_text: document.text,
    stars: document.stars,
    created_at: document.at,
  };
}

export function act(document: ActDocument): Act {
  const { act, kind, subject, sellerId: seller } = document;
  const amount = document.amount === null ? null : koboToNaira(document.amount);
  return { ...timelineEntry(document), act, about: kind, subject, seller, amount };
}

export function timelineEntry(document: TimelineDocument): TimelineEntry {
  const { eventId, type, at, actor, text } = document;
  return { id: eventId, type, at, actor, text };
}
