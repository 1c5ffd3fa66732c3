import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { reloadGoods } from '../../api/own-products.js';
import { rememberOpened } from '../../stores/cart.js';
import { currentUser } from '../../stores/session.js';
import { toast } from '../../ui/toast.js';
import { clearDraft, draftOf } from './draft/store.js';
import type { UploadStep } from './percent.js';
import { NO_PICTURE, type Problems, problemsOf } from './rules.js';
import { uploadDraft } from './send.js';

export const UPLOAD_FAILED = 'Something went wrong. if this keeps showing please Contact Us';

/** Why it failed, where the server or the network told; the product stays in the form either way. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [field] = Object.entries(error.errors);
  return field === undefined ? error.message : `${field[0]} ${field[1]}`;
}

function sayWhy(error: unknown): void {
  // The session ended on the way: the guard leads to the login and from there back here.
  if (currentUser() === null) {
    toast.info('Log in again. Your product is kept.');
    return;
  }
  const reason = reasonOf(error);
  toast.error(UPLOAD_FAILED, reason === undefined ? {} : { title: reason });
}

/** The upload of a seller's draft: its rules, its progress, and what comes after. */
export function useUpload(sellerId: string) {
  const navigate = useNavigate();
  const [step, setStep] = useState<UploadStep>();
  const [tried, setTried] = useState(false);
  /** A second press must not start a second upload before the first has been drawn. */
  const running = useRef(false);
  useAskBeforeLeaving(step !== undefined);

  /** @returns what keeps it from being sent; nothing when it is on its way */
  const upload = (): Problems => {
    setTried(true);
    const draft = draftOf(sellerId);
    const problems = problemsOf(draft);
    if (draft.pictures.length === 0) toast.error(NO_PICTURE);
    if (Object.keys(problems).length === 0 && !running.current) void run();
    return problems;
  };

  const run = async () => {
    running.current = true;
    try {
      const productId = await uploadDraft(sellerId, setStep);
      toast.success('successfully uploaded your product!!!');
      rememberOpened(productId);
      clearDraft(sellerId);
      setTried(false);
      void reloadGoods();
      await navigate('/dashboard');
    } catch (error) {
      console.error(error);
      sayWhy(error);
    } finally {
      running.current = false;
      setStep(undefined);
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
