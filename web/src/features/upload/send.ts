import { ApiError } from '../../api/error.js';
import { clickKey } from '../../api/key.js';
import { addProduct } from '../../api/own-products.js';
import { queryClient } from '../../api/query-client.js';
import { settingsQuery } from '../../api/settings.js';
import type { Settings } from '../../api/types.js';
import { uploadPicture } from '../../api/upload.js';
import { currentUser } from '../../stores/session.js';
import { type DraftPicture, freshAddress } from './draft/draft.js';
import { pictureOf } from './draft/picture-files.js';
import { changeDraft, draftOf } from './draft/store.js';
import type { UploadStep } from './percent.js';
import { bodyOf } from './wire.js';

/** Waits before a picture is sent again, in ms: each is tried three times by itself. */
const RETRY_AFTER_MS = [1_000, 3_000] as const;

type Report = (step: UploadStep) => void;

/**
 * Uploads the seller's draft: the pictures that are not up yet, one after the other, then the product.
 * @returns the product's id
 * @throws ApiError; what had arrived by then is not sent again next time
 */
export async function uploadDraft(sellerId: string, report: Report): Promise<string> {
  const addresses = await sendPictures(sellerId, report);
  requireSession(sellerId);
  report({ phase: 'post', done: false });
  const body = bodyOf(draftOf(sellerId), addresses);
  try {
    const productId = await addProduct(body, keyFor(sellerId, JSON.stringify(body)));
    report({ phase: 'post', done: true });
    return productId;
  } catch (error) {
    // The host has let go of a picture: next time they are sent afresh.
    if (error instanceof ApiError && error.errors.imageUrls !== undefined)
      changePictures(sellerId, ({ id, mark }) => ({ id, mark }));
    throw error;
  }
}

/** Pictures need no session, and take minutes: by then nobody may be signed in, or somebody else. */
function requireSession(sellerId: string): void {
  if (currentUser()?.user_id !== sellerId)
    throw new ApiError({ status: 401, message: 'Log in again.' });
}

/** The same content goes with the same key, however often it is tried, so it makes one product. */
function keyFor(sellerId: string, content: string): string {
  const last = draftOf(sellerId).attempt;
  if (last?.content === content) return last.key;
  const key = clickKey();
  changeDraft(sellerId, (draft) => ({ ...draft, attempt: { key, content } }));
  return key;
}

async function sendPictures(sellerId: string, report: Report): Promise<string[]> {
  const { imageUpload } = await queryClient.fetchQuery(settingsQuery);
  const { pictures } = draftOf(sellerId);
  const parts: number[] = pictures.map((picture) => (freshAddress(picture, Date.now()) ? 1 : 0));
  const addresses: string[] = [];
  for (const [i, picture] of pictures.entries()) {
    const say = (part: number) => {
      parts[i] = part;
      report({ phase: 'pictures', parts: [...parts], at: i + 1 });
    };
    const address =
      freshAddress(picture, Date.now()) ?? (await sendOne(sellerId, picture, imageUpload, say));
    say(1);
    addresses.push(address);
  }
  return addresses;
}

async function sendOne(
  sellerId: string,
  { id }: DraftPicture,
  to: Settings['imageUpload'],
  onProgress: (part: number) => void,
): Promise<string> {
  onProgress(0);
  try {
    const address = await tried(async () => {
      const file = await pictureOf(id);
      if (file === undefined)
        throw new ApiError({ status: 400, message: 'A picture is gone. Pick it again.' });
      return uploadPicture({ file, to, onProgress });
    });
    changePictures(sellerId, (one) =>
      one.id === id ? { id, mark: one.mark, address, sentAt: Date.now() } : one,
    );
    return address;
  } catch (error) {
    changePictures(sellerId, (one) => (one.id === id ? { ...one, failed: true } : one));
    throw error;
  }
}

/** Tries again when no answer came or the host stumbled. */
async function tried<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      const passing = error instanceof ApiError && (error.unanswered || error.status >= 500);
      if (!passing || !navigator.onLine) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return work();
}

function changePictures(sellerId: string, change: (picture: DraftPicture) => DraftPicture): void {
  changeDraft(sellerId, (draft) => ({ ...draft, pictures: draft.pictures.map(change) }));
}
