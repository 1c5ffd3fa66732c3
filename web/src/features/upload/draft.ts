import { asRecord } from '../../api/as-record.js';
import { createPersistentStore } from '../../stores/persistent-store.js';
import { type Album, type DraftPicture, dropPending, emptyAlbum, parsePicture } from './album.js';

/** What has been tried to post a draft. */
interface Attempt {
  /** The idempotency key of all posts. */
  readonly key: string;
  /** What was posted with it that the market may have taken, oldest first. */
  readonly contents: readonly string[];
  /** An update of the product that was made of one of them has been sent, and may have arrived. */
  readonly isUpdated?: boolean;
}

/** A product that is being uploaded: all that the seller typed and picked. */
export interface Draft {
  readonly subcategoryId: number | null;
  readonly state: string | null;
  readonly localGovt: string | null;
  /** Field name → typed value. */
  readonly values: Readonly<Record<string, string>>;
  /** Digits only, or what was typed instead of a price. */
  readonly price: string;
  readonly pictures: readonly DraftPicture[];
  readonly attempt: Attempt | null;
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

/** A change of category clears what was typed, except on the first choice. Pictures and place stay. */
export function withSubcategory(draft: Draft, subcategoryId: number): Draft {
  if (draft.subcategoryId === subcategoryId) return draft;
  const first = draft.subcategoryId === null;
  return { ...draft, subcategoryId, ...(!first && { values: {}, price: '' }) };
}

const text = (raw: unknown) => (typeof raw === 'string' ? raw : undefined);
const number = (raw: unknown) => (typeof raw === 'number' ? raw : undefined);

/** Reads a draft from storage, field by field; an invalid field gets its value from the empty draft. */
export function parseDraft(raw: unknown): Draft {
  const at = asRecord(raw);
  // Earlier releases kept one content, and took a new key for another.
  const { key, content, contents = [content], isUpdated } = asRecord(at.attempt);
  const values = Object.entries(asRecord(at.values)).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    subcategoryId: number(at.subcategoryId) ?? null,
    state: text(at.state) ?? null,
    localGovt: text(at.localGovt) ?? null,
    values: Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
    price: text(at.price) ?? '',
    pictures: Array.isArray(at.pictures) ? at.pictures.flatMap(parsePicture) : [],
    attempt:
      typeof key === 'string' && Array.isArray(contents)
        ? {
            key,
            contents: contents.filter((one) => typeof one === 'string'),
            ...(isUpdated === true && { isUpdated }),
          }
        : null,
  };
}

interface Drafts {
  /** Seller id → draft. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Seller id → how many of their drafts were uploaded: tells the other tabs that theirs, the same, is gone. */
  readonly uploaded: Readonly<Record<string, number>>;
}

const noDrafts: Drafts = { drafts: {}, uploaded: {} };

function parseDrafts(raw: unknown): Drafts {
  const { drafts, uploaded } = asRecord(raw);
  return {
    drafts: Object.fromEntries(
      Object.entries(asRecord(drafts)).map(([id, one]) => [id, parseDraft(one)]),
    ),
    uploaded: Object.fromEntries(
      Object.entries(asRecord(uploaded)).map(([id, times]) => [id, number(times) ?? 0]),
    ),
  };
}

/** Saved on each keystroke, so that a reload, an expired session or a failed server loses nothing. */
const [useDrafts, changeDrafts] = createPersistentStore<Drafts>(
  'oja-upload',
  noDrafts,
  parseDrafts,
);

export const getDraft = (sellerId: string) => useDrafts.getState().drafts[sellerId] ?? emptyDraft;

/** The ids of the pictures in all drafts of this browser. */
export const draftPictureIds = (): ReadonlySet<string> =>
  new Set(
    Object.values(useDrafts.getState().drafts).flatMap(({ pictures }) =>
      pictures.map(({ id }) => id),
    ),
  );

export const useDraft = (sellerId: string) =>
  useDrafts((state) => state.drafts[sellerId] ?? emptyDraft);

export function changeDraft(sellerId: string, change: (now: Draft) => Draft): void {
  changeDrafts(({ drafts }) => ({
    drafts: { ...drafts, [sellerId]: change(drafts[sellerId] ?? emptyDraft) },
  }));
}

/** The pictures of a seller's draft. */
export const draftAlbum = (sellerId: string): Album => ({
  key: `oja-upload-${sellerId}`,
  now: () => getDraft(sellerId).pictures,
  change: (next) =>
    changeDraft(sellerId, (draft) => ({ ...draft, pictures: next(draft.pictures) })),
});

/**
 * Removes a draft that was uploaded, for all tabs. What another tab has typed or picked meanwhile stays, as the
 * next draft.
 */
export function clearDraft(sellerId: string, sent: Draft = getDraft(sellerId)): void {
  emptyAlbum(draftAlbum(sellerId), sent.pictures);
  changeDrafts(({ drafts, uploaded }) => ({
    drafts: { ...drafts, [sellerId]: pickChanges(sent, drafts[sellerId] ?? emptyDraft) },
    uploaded: { ...uploaded, [sellerId]: (uploaded[sellerId] ?? 0) + 1 },
  }));
}

/** The parts of a draft that are not as they were sent. What is typed belongs to its category, which stays with it. */
function pickChanges(sent: Draft, now: Draft): Draft {
  const typed = Object.entries(now.values).filter(
    ([name, value]) => value !== '' && value !== sent.values[name],
  );
  const { subcategoryId, state, localGovt } = now;
  const isMoved = state !== sent.state || localGovt !== sent.localGovt;
  return {
    ...emptyDraft,
    ...((typed.length > 0 || subcategoryId !== sent.subcategoryId) && { subcategoryId }),
    ...(isMoved && { state, localGovt }),
    values: Object.fromEntries(typed),
    price: now.price === sent.price ? '' : now.price,
    pictures: now.pictures.filter(({ id }) => sent.pictures.every((one) => one.id !== id)),
  };
}

/** Takes over what other tabs have just written, also where their event has not arrived yet. */
export const syncDrafts = () => changeDrafts(() => ({}));

// What is still being scaled down in this tab must not get into the seller's next draft.
useDrafts.subscribe(({ uploaded }, before) => {
  for (const sellerId of Object.keys(uploaded))
    if (uploaded[sellerId] !== before.uploaded[sellerId]) dropPending(draftAlbum(sellerId));
});
