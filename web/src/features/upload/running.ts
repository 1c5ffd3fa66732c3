import { create } from 'zustand';
import type { UploadStep } from './percent.js';

/** Seller id → how far their upload is. It outlives the form, which Back or an ended session takes away. */
const useRunning = create<Readonly<Record<string, UploadStep>>>(() => ({}));

export const useStep = (sellerId: string): UploadStep | undefined =>
  useRunning((all) => all[sellerId]);

export const isRunning = (sellerId: string): boolean =>
  useRunning.getState()[sellerId] !== undefined;

export function setStep(sellerId: string, step: UploadStep): void {
  useRunning.setState({ [sellerId]: step });
}

export function endRun(sellerId: string): void {
  const { [sellerId]: _, ...others } = useRunning.getState();
  useRunning.setState(others, true);
}

/** Seller id → where the form that is open goes once the product is up. */
const ways = new Map<string, () => void>();

/** The form that is open says where to go. Answers how to take it back. */
export function onUploaded(sellerId: string, goOn: () => void): () => void {
  ways.set(sellerId, goOn);
  return () => {
    if (ways.get(sellerId) === goOn) ways.delete(sellerId);
  };
}

/** Whoever went elsewhere meanwhile stays there. */
export const goOnAfterUpload = (sellerId: string) => ways.get(sellerId)?.();
