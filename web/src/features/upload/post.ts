import { raisedPriceNaira } from '@oja/domain/rules';
import { newIdempotencyKey } from '../../api/client.js';
import { ApiError } from '../../api/error.js';
import { isKeyReused, isRefused } from '../../api/failures.js';
import { addProduct, applyStockConflict, updateProduct } from '../../api/own-products.js';
import type { Body } from '../../api/types.js';
import { currentUser } from '../../stores/session.js';
import { changeDraft, type Draft, getDraft } from './draft.js';

type Listing = Body<'addProduct'>;
type Changes = Body<'updateProduct'>;

/** The code of the failure of a draft that may be another product than the one that was listed from it. */
export const SENT_BEFORE = 'sent_before';

export interface Posted {
  readonly productId: string;
  /** The market had taken what was sent before, and what was changed since went there as an update. */
  readonly isUpdate: boolean;
}

/**
 * Posts a seller's draft. It has one key for all attempts, of which the market makes one product. If an attempt was taken
 * whose answer was lost, the market refuses the key for what the seller has changed since; to the same content it answers
 * again, with the product's id, and what was changed is an update of that product.
 * @param body the draft as it is posted
 * @throws ApiError
 */
export async function postDraft(sellerId: string, draft: Draft, body: Listing): Promise<Posted> {
  requireSession(sellerId);
  const content = JSON.stringify(body);
  const last = getDraft(sellerId).attempt ?? { key: newIdempotencyKey(), contents: [] };
  const { key, contents, isUpdated = false } = last;
  const now = { ...last, contents: [...new Set([...contents, content])] };
  saveAttempt(sellerId, now);
  // An update that was sent may have arrived: then fields differ from the listing that are as in the listing here.
  const since = (listings: readonly Listing[]): Changes =>
    Object.assign({}, ...listings.map((one) => diffListings(one, body, Number(draft.price))));
  const sent = contents.map((one): Listing => JSON.parse(one));
  for (const listing of [body, ...sent]) {
    if (listing !== body && !isSameProduct(listing, draft)) continue;
    requireSession(sellerId);
    const productId = await addProduct(listing, key).catch((error: unknown) => {
      if (isKeyReused(error)) return null;
      if (isRefused(error) && listing === body) saveAttempt(sellerId, last);
      throw error;
    });
    if (productId === null) continue;
    if (listing === body && !isUpdated) return { productId, isUpdate: false };
    requireSession(sellerId);
    saveAttempt(sellerId, { ...now, isUpdated: true });
    if (await update(productId, since(isUpdated ? sent : [listing])))
      return { productId, isUpdate: true };
    break;
  }
  // Only the seller knows whether it is the same product. The next press posts it as another.
  saveAttempt(sellerId, null);
  throw new ApiError({
    status: 409,
    code: SENT_BEFORE,
    message:
      'The market had taken what you sent before: look in your store. If this is another product, press Upload again.',
  });
}

/** What goes before takes minutes and needs no session: by now nobody, or another seller, may be signed in. */
function requireSession(sellerId: string): void {
  if (currentUser()?.user_id !== sellerId)
    throw new ApiError({ status: 401, message: 'Log in again.' });
}

const saveAttempt = (sellerId: string, attempt: Draft['attempt']) =>
  changeDraft(sellerId, (draft) => ({ ...draft, attempt }));

/** Whether the product was removed, or its count is not the one that the seller typed over. */
const isOutdated = (error: unknown) =>
  error instanceof ApiError && (error.code === 'stock_changed' || error.status === 404);

/** A seller may have found the first product in the store, and filled the same form for the next one. */
const isSameProduct = ({ updatedInput, imageUrls }: Listing, { subcategoryId, pictures }: Draft) =>
  updatedInput.subcategory_id === subcategoryId &&
  pictures.some(({ address = '', earlierAddress = '' }) =>
    imageUrls.some((one) => one === address || one === earlierAddress),
  );

/** @returns whether the product could be updated */
async function update(productId: string, changes: Changes): Promise<boolean> {
  if (Object.keys(changes).length === 0) return true;
  try {
    await updateProduct(productId, changes);
    return true;
  } catch (error) {
    const { stock, stock_was: _, ...others } = changes;
    // The answer of an earlier try was lost: its count is that of the product by now.
    if (stock !== undefined && applyStockConflict(productId, error) === stock)
      return update(productId, others);
    if (isOutdated(error)) return false;
    throw error;
  }
}

/** The fields that an update cannot clear. */
const NEVER_CLEARED: ReadonlySet<string> = new Set(['cond', 'water_resistance']);

/** What was emptied since, as an update clears it. */
function clearedFields(before: object, now: object): Changes {
  const gone = Object.keys(before).filter((name) => !(name in now) && !NEVER_CLEARED.has(name));
  return Object.fromEntries(gone.map((name) => [name, name === 'stock' ? null : '']));
}

/** The update that makes the later listing of the earlier one. Both have the same subcategory. */
function diffListings(before: Listing, now: Listing, price: number): Changes {
  const was: Readonly<Record<string, unknown>> = before.updatedInput;
  const typed: Changes = Object.fromEntries(
    Object.entries(now.updatedInput).filter(([name, value]) => value !== was[name]),
  );
  const changes = { ...clearedFields(was, now.updatedInput), ...typed };
  return {
    ...changes,
    ...(changes.price !== undefined && { price: raisedPriceNaira(price, 'update') }),
    ...(changes.stock !== undefined && { stock_was: before.updatedInput.stock ?? null }),
    ...(before.imageUrls.join() !== now.imageUrls.join() && { imageUrls: now.imageUrls }),
  };
}
