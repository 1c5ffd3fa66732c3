import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { safeStorage } from '../../../stores/safe-storage.js';
import { type Draft, emptyDraft, readDraft } from './draft.js';
import { forgetPictures } from './picture-files.js';

interface Drafts {
  /** Seller id → what they were uploading. */
  readonly drafts: Readonly<Record<string, Draft>>;
}

const none: Drafts = { drafts: {} };

function readDrafts(raw: unknown): Drafts {
  const drafts = typeof raw === 'object' && raw !== null && 'drafts' in raw ? raw.drafts : {};
  if (typeof drafts !== 'object' || drafts === null) return none;
  return {
    drafts: Object.fromEntries(Object.entries(drafts).map(([id, one]) => [id, readDraft(one)])),
  };
}

/** Written at each keystroke, so that a reload, an expired session or a dead server loses nothing. */
const useDrafts = create<Drafts>()(
  persist((): Drafts => none, {
    name: 'oja-upload',
    version: 1,
    storage: safeStorage<Drafts>(),
    migrate: readDrafts,
    merge: (kept, current) => (kept === undefined ? current : readDrafts(kept)),
  }),
);

export const draftOf = (sellerId: string) => useDrafts.getState().drafts[sellerId] ?? emptyDraft;

export const useDraft = (sellerId: string) =>
  useDrafts((state) => state.drafts[sellerId] ?? emptyDraft);

export function changeDraft(sellerId: string, change: (now: Draft) => Draft): void {
  useDrafts.setState(({ drafts }) => ({
    drafts: { ...drafts, [sellerId]: change(drafts[sellerId] ?? emptyDraft) },
  }));
}

/** After the product is up. */
export function clearDraft(sellerId: string): void {
  forgetPictures(draftOf(sellerId).pictures.map(({ id }) => id));
  useDrafts.setState(({ drafts: { [sellerId]: _, ...rest } }) => ({ drafts: rest }));
}
