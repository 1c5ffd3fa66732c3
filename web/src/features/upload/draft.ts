import { fieldsOf } from '../../api/fields.js';
import { keptStore } from '../../stores/kept.js';
import { forgetPictures } from './picture-files.js';

/** A picked picture. Its bytes are kept in IndexedDB under the same id. */
export interface DraftPicture {
  readonly id: string;
  /** The product already has this picture: the bytes are only at its address. */
  readonly listed?: true;
  /** Recognizes a file that is picked twice. */
  readonly mark: string;
  /** Its address at the image host, once it is sent. */
  readonly address?: string;
  /** When it was sent, in epoch milliseconds: hosts delete unused pictures. */
  readonly sentAt?: number;
  /** The last attempt to send it failed. */
  readonly failed?: true;
}

/** A product that is being uploaded: all that the seller typed and picked. */
export interface Draft {
  readonly subcategoryId: number | null;
  readonly state: string | null;
  readonly localGovt: string | null;
  /** Field name → typed value. */
  readonly values: Readonly<Record<string, string>>;
  /** Digits only. */
  readonly price: string;
  readonly pictures: readonly DraftPicture[];
  /** The last attempt to post it: the same content is sent with the same idempotency key. */
  readonly attempt: { readonly key: string; readonly content: string } | null;
}

export const emptyDraft: Draft = {
  subcategoryId: null,
  state: null,
  localGovt: null,
  values: {},
  price: '',
  pictures: [],
  attempt: null,
};

/** How long a sent picture may be used, in ms: image hosts keep unused pictures for a day. */
const ADDRESS_LIVES_MS = 20 * 60 * 60_000;

/** The picture's address, unless the host may have deleted it by now. */
export function freshAddress(picture: DraftPicture, now: number): string | undefined {
  const isKept = picture.listed || now - (picture.sentAt ?? 0) < ADDRESS_LIVES_MS;
  return isKept ? picture.address : undefined;
}

/** A change of category clears what was typed, except on the first choice. Pictures and place stay. */
export function withSubcategory(draft: Draft, subcategoryId: number): Draft {
  if (draft.subcategoryId === subcategoryId) return draft;
  const first = draft.subcategoryId === null;
  return { ...draft, subcategoryId, ...(!first && { values: {}, price: '' }) };
}

const text = (raw: unknown) => (typeof raw === 'string' ? raw : undefined);
const number = (raw: unknown) => (typeof raw === 'number' ? raw : undefined);

/** Reads a picture from storage. @returns one picture, or none when the value is not valid */
export function readPicture(raw: unknown): DraftPicture[] {
  const at = fieldsOf(raw);
  const id = text(at.id);
  const address = text(at.address);
  const sentAt = number(at.sentAt);
  if (id === undefined) return [];
  if (at.listed === true) return address === undefined ? [] : [listedPicture(address)];
  return [
    {
      id,
      mark: text(at.mark) ?? id,
      ...(address !== undefined && sentAt !== undefined && { address, sentAt }),
    },
  ];
}

/** A picture that the product already has. */
export const listedPicture = (address: string): DraftPicture => ({
  id: address,
  mark: address,
  address,
  listed: true,
});

/** Reads a draft from storage, field by field; an invalid field gets its value from the empty draft. */
export function readDraft(raw: unknown): Draft {
  const at = fieldsOf(raw);
  const { key, content } = fieldsOf(at.attempt);
  const values = Object.entries(fieldsOf(at.values)).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    subcategoryId: number(at.subcategoryId) ?? null,
    state: text(at.state) ?? null,
    localGovt: text(at.localGovt) ?? null,
    values: Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
    price: text(at.price) ?? '',
    pictures: Array.isArray(at.pictures) ? at.pictures.flatMap(readPicture) : [],
    attempt: typeof key === 'string' && typeof content === 'string' ? { key, content } : null,
  };
}

interface Drafts {
  /** Seller id → draft. */
  readonly drafts: Readonly<Record<string, Draft>>;
}

const none: Drafts = { drafts: {} };

function readDrafts(raw: unknown): Drafts {
  const drafts = Object.entries(fieldsOf(fieldsOf(raw).drafts));
  return { drafts: Object.fromEntries(drafts.map(([id, one]) => [id, readDraft(one)])) };
}

/** Saved on each keystroke, so that a reload, an expired session or a failed server loses nothing. */
const [useDrafts, changeDrafts] = keptStore<Drafts>('oja-upload', none, readDrafts);

export const draftOf = (sellerId: string) => useDrafts.getState().drafts[sellerId] ?? emptyDraft;

export const useDraft = (sellerId: string) =>
  useDrafts((state) => state.drafts[sellerId] ?? emptyDraft);

export function changeDraft(sellerId: string, change: (now: Draft) => Draft): void {
  changeDrafts(({ drafts }) => ({
    drafts: { ...drafts, [sellerId]: change(drafts[sellerId] ?? emptyDraft) },
  }));
}

/** The pictures being chosen, of a draft or of a product that is being changed. */
export interface Album {
  now(): readonly DraftPicture[];
  change(next: (now: readonly DraftPicture[]) => readonly DraftPicture[]): void;
}

export const albumOf = (sellerId: string): Album => ({
  now: () => draftOf(sellerId).pictures,
  change: (next) =>
    changeDraft(sellerId, (draft) => ({ ...draft, pictures: next(draft.pictures) })),
});

/** Removes the draft after the product was uploaded. */
export function clearDraft(sellerId: string): void {
  forgetPictures(draftOf(sellerId).pictures.map(({ id }) => id));
  changeDrafts(({ drafts: { [sellerId]: _, ...rest } }) => ({ drafts: rest }));
}
