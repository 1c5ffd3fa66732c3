import { pagePaths } from '@oja/contracts/pages';
import { useState } from 'react';
import { ApiError } from '../../api/error.js';
import { reloadGoods } from '../../api/own-products.js';
import { queryClient } from '../../api/query-client.js';
import { rememberOpenedProduct } from '../../stores/cart.js';
import { currentUser } from '../../stores/session.js';
import { toast } from '../../ui/toast.js';
import { pendingMarks, trackEmptied } from './album.js';
import { clearDraft, draftAlbum, getDraft, syncDrafts } from './draft.js';
import { NO_PICTURE, type Problems, toToastTitle, validateDraft } from './fields.js';
import { SENT_BEFORE } from './post.js';
import { clearStep, isRunning, setStep, useNavigateWhenDone, useUploadStep } from './progress.js';
import { firstStep, uploadDraft } from './send.js';

const UPLOADED = 'successfully uploaded your product!!!';
const AS_CHANGED = { title: 'It was in your store already, and has your changes now.' };
const UPLOAD_FAILED = 'Something went wrong. if this keeps showing please Contact Us';

const LONG_TO_READ_MS = 15_000;

function toastFailure(sellerId: string, error: unknown): void {
  const user = currentUser();
  // The session ended during the upload: the guard leads to the login, and from there back here.
  if (user === null) toast.info('Log in again. Your product is kept.');
  if (user?.user_id !== sellerId) return;
  if (error instanceof ApiError && error.code === SENT_BEFORE)
    toast.info(error.message, { duration: LONG_TO_READ_MS });
  else toast.error(UPLOAD_FAILED, toToastTitle(error));
}

/** The upload of a seller's draft: validation, progress, and what follows. */
export function useUpload(sellerId: string) {
  const step = useUploadStep(sellerId);
  const [isTried, setIsTried] = useState(false);
  const navigateOn = useNavigateWhenDone(sellerId, pagePaths.dashboard);

  const problemsNow = () =>
    validateDraft(getDraft(sellerId), pendingMarks(draftAlbum(sellerId)).length);

  /** @returns the problems that keep the draft from being sent; none when the upload runs */
  const upload = (): Problems => {
    setIsTried(true);
    const problems = problemsNow();
    if (getDraft(sellerId).pictures.length + pendingMarks(draftAlbum(sellerId)).length === 0)
      toast.error(NO_PICTURE);
    if (Object.keys(problems).length === 0 && !isRunning(sellerId)) void run();
    return problems;
  };

  const run = async () => {
    setStep(sellerId, firstStep(draftAlbum(sellerId)));
    const isEmptied = trackEmptied(draftAlbum(sellerId));
    const hasRun = await withUploadLock(sellerId, async () => {
      // Another tab may have ended its upload just now, or changed the draft.
      syncDrafts();
      if (!isEmptied() && Object.keys(problemsNow()).length === 0) await send();
    });
    clearStep(sellerId);
    if (!hasRun) toast.info('This product is being uploaded in another tab.');
  };

  const send = async () => {
    try {
      const { productId, isUpdate, sent } = await uploadDraft(sellerId, (now) =>
        setStep(sellerId, now),
      );
      toast.success(UPLOADED, isUpdate ? AS_CHANGED : {});
      rememberOpenedProduct(productId);
      clearDraft(sellerId, sent);
      setIsTried(false);
      // The dashboard would show its old list, without this product, until the new one has come.
      queryClient.removeQueries({ queryKey: ['own-products'], type: 'inactive' });
      void reloadGoods();
      navigateOn();
    } catch (error) {
      console.error(error);
      toastFailure(sellerId, error);
    }
  };
  return { upload, step, isTried };
}

/**
 * Does the work unless another tab is doing it for this seller: both would send the same draft, as two products.
 * The Web Locks API is missing on pages that are not served over HTTPS.
 * @returns whether this tab did it
 */
async function withUploadLock(sellerId: string, work: () => Promise<void>): Promise<boolean> {
  const locks: LockManager | null | undefined = navigator.locks;
  const doIt = async () => {
    await work();
    return true;
  };
  if (!locks) return doIt();
  return locks.request(`oja-upload-${sellerId}`, { ifAvailable: true }, (lock) =>
    lock === null ? false : doIt(),
  );
}
