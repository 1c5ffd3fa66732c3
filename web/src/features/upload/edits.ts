import { useMemo, useSyncExternalStore } from 'react';
import { loadText, saveText } from '../../stores/form-storage.js';
import { parseStored } from '../../stores/safe-storage.js';
import { type Album, type DraftPicture, parsePicture } from './album.js';

/** Field name → new value, for ticked fields only. */
export type Edits = Readonly<Record<string, string>>;

/** The field of the pictures; its value is their JSON. */
export const PICTURES = 'pictures';

/** Stored with an edited stock: the count when it was edited; '' for none. Edits may wait for hours while orders go on. */
export const STOCK_WAS = 'stock_was';

/** Stored with an edited stock: the last count sent without an answer. If the product has it now, this form changed it. */
const STOCK_SENT = 'stock_sent';

/** The product's count when its stock was edited; undefined while it is not edited. */
export const stockBaseline = (edits: Edits): string | undefined =>
  edits.stock === undefined ? undefined : edits[STOCK_WAS];

const isStockUntouched = (edits: Edits) => edits.stock === edits[STOCK_WAS];

/** The edits without the two values that are stored with an edited stock. */
export function withoutStockNotes(edits: Edits): Edits {
  const { [STOCK_WAS]: _, [STOCK_SENT]: __, ...others } = edits;
  return others;
}

/** Takes a new count as the baseline of an edited stock. A figure that was not changed becomes that count. */
export const rebaseStock = (edits: Edits, count: string): Edits =>
  edits.stock === undefined
    ? edits
    : {
        ...withoutStockNotes(edits),
        stock: isStockUntouched(edits) ? count : edits.stock,
        [STOCK_WAS]: count,
      };

/** Whether this count was sent from here and its answer was lost. */
export const isSentCount = (edits: Edits, count: string): boolean => edits[STOCK_SENT] === count;

/** Records a count that was sent and whose answer was lost; '' for none. */
export const noteSentCount = (edits: Edits, count: string): Edits =>
  edits.stock === undefined ? edits : { ...edits, [STOCK_SENT]: count };

/**
 * Takes a new count as the baseline if the figure was not changed, or if the count was sent from here. Another count is
 * not taken over: the typed figure keeps its baseline, and the seller is asked to check it.
 */
export const rebaseUntouchedStock = (edits: Edits, count: string): Edits =>
  isStockUntouched(edits) || isSentCount(edits, count) ? rebaseStock(edits, count) : edits;

const storageKey = (productId: string) => `oja-update-${productId}`;

const loadEdits = (productId: string): string | null => loadText(storageKey(productId));
const listeners = new Set<() => void>();

function parseEdits(text: string | null): Edits {
  return Object.fromEntries(
    Object.entries(parseStored(text)).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** The newest edits of a product, which may not be rendered yet. */
export const getEdits = (productId: string): Edits => parseEdits(loadEdits(productId));

export function changeEdits(productId: string, next: (now: Edits) => Edits): void {
  const edits = next(getEdits(productId));
  saveText(storageKey(productId), Object.keys(edits).length === 0 ? null : JSON.stringify(edits));
  for (const listener of listeners) listener();
}

/**
 * The edits of a product. They survive a reload and an expired session in session storage; a picture that
 * was picked before the form was left comes into the form that is opened next.
 */
export function useEdits(productId: string): Edits {
  const text = useSyncExternalStore(subscribe, () => loadEdits(productId));
  return useMemo(() => parseEdits(text), [text]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The pictures after the edit. */
export function parsePictures(edits: Edits): readonly DraftPicture[] {
  const raw: unknown = JSON.parse(edits[PICTURES] ?? '[]');
  return Array.isArray(raw) ? raw.flatMap(parsePicture) : [];
}

/** The pictures of a product that is being changed. While they are not ticked there are none, and none can be added. */
export const editedAlbum = (productId: string): Album => ({
  key: storageKey(productId),
  now: () => parsePictures(getEdits(productId)),
  change: (next) =>
    changeEdits(productId, (edits) =>
      edits[PICTURES] === undefined
        ? edits
        : { ...edits, [PICTURES]: JSON.stringify(next(parsePictures(edits))) },
    ),
});
