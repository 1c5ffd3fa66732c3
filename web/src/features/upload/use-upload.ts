import { pagePaths } from '@oja/contracts/pages';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';
import { ApiError } from '../../api/error.js';
import { reloadGoods } from '../../api/own-products.js';
import { rememberOpened } from '../../stores/cart.js';
import { currentUser } from '../../stores/session.js';
import { toast } from '../../ui/toast.js';
import { clearDraft, draftOf } from './draft.js';
import { NO_PICTURE, type Problems, problemsOf } from './fields.js';
import { type UploadStep, uploadDraft } from './send.js';

/** Seller id → how far their upload is. It outlives the form, which Back or an ended session takes away. */
const useRunning = create<Readonly<Record<string, UploadStep>>>(() => ({}));

const useStep = (sellerId: string): UploadStep | undefined => useRunning((all) => all[sellerId]);

export const isRunning = (sellerId: string): boolean =>
  useRunning.getState()[sellerId] !== undefined;

function setStep(sellerId: string, step: UploadStep): void {
  useRunning.setState({ [sellerId]: step });
}

function endRun(sellerId: string): void {
  const { [sellerId]: _, ...others } = useRunning.getState();
  useRunning.setState(others, true);
}

/** Seller id → where the form that is open goes once the product is up. */
const ways = new Map<string, () => void>();

/** The form that is open says where to go. Answers how to take it back. */
function onUploaded(sellerId: string, goOn: () => void): () => void {
  ways.set(sellerId, goOn);
  return () => {
    if (ways.get(sellerId) === goOn) ways.delete(sellerId);
  };
}

/** Whoever went elsewhere meanwhile stays there. */
const goOnAfterUpload = (sellerId: string) => ways.get(sellerId)?.();

const UPLOAD_FAILED = 'Something went wrong. if this keeps showing please Contact Us';

/** Why it failed, where the server or the network told; the product stays in the form either way. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [field] = Object.entries(error.errors);
  return field === undefined ? error.message : `${field[0]} ${field[1]}`;
}

function sayWhy(sellerId: string, error: unknown): void {
  const user = currentUser();
  // The session ended on the way: the guard leads to the login and from there back here.
  if (user === null) toast.info('Log in again. Your product is kept.');
  if (user?.user_id !== sellerId) return;
  const reason = reasonOf(error);
  toast.error(UPLOAD_FAILED, reason === undefined ? {} : { title: reason });
}

/** The upload of a seller's draft: its rules, its progress, and what comes after. */
export function useUpload(sellerId: string) {
  const navigate = useNavigate();
  const step = useStep(sellerId);
  const [tried, setTried] = useState(false);
  useEffect(
    () => onUploaded(sellerId, () => void navigate(pagePaths.dashboard)),
    [sellerId, navigate],
  );
  useAskBeforeLeaving(step !== undefined);

  /** @returns what keeps it from being sent; nothing when it is on its way */
  const upload = (): Problems => {
    setTried(true);
    const draft = draftOf(sellerId);
    const problems = problemsOf(draft);
    if (draft.pictures.length === 0) toast.error(NO_PICTURE);
    if (Object.keys(problems).length === 0 && !isRunning(sellerId)) void run();
    return problems;
  };

  const run = async () => {
    // At once: a second press must not start a second upload before the first has been drawn.
    const parts = draftOf(sellerId).pictures.map(() => 0);
    setStep(sellerId, { phase: 'pictures', parts, at: 1 });
    try {
      const productId = await uploadDraft(sellerId, (now) => setStep(sellerId, now));
      toast.success('successfully uploaded your product!!!');
      rememberOpened(productId);
      clearDraft(sellerId);
      setTried(false);
      void reloadGoods();
      goOnAfterUpload(sellerId);
    } catch (error) {
      console.error(error);
      sayWhy(sellerId, error);
    } finally {
      endRun(sellerId);
    }
  };
  return { upload, step, tried };
}

/** Closing the tab in the middle of an upload asks first. */
function useAskBeforeLeaving(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [on]);
}
