import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';
import { useIsStillOnPage } from '../../app/navigation.js';

/** The progress of an upload. */
export type UploadStep =
  | {
      readonly phase: 'pictures';
      /** For each picture the share that was sent, 0 to 1. */
      readonly parts: readonly number[];
      /** The picture being sent, counted from 1. */
      readonly at: number;
    }
  | { readonly phase: 'post'; readonly done: boolean };

/** The pictures are the first half of an upload's progress, the post is the second. */
const HALF = 50;

/** 0 to 50 while the pictures are sent, 50 to 100 for the post. */
export function stepPercent(step: UploadStep): number {
  if (step.phase === 'post') return step.done ? 2 * HALF : HALF;
  const sum = step.parts.reduce((total, part) => total + part, 0);
  return step.parts.length === 0 ? HALF : Math.floor((HALF * sum) / step.parts.length);
}

/** The current step in words. */
export function stepText(step: UploadStep): string {
  return step.phase === 'pictures'
    ? `Picture ${step.at} of ${step.parts.length}. Keep this page open.`
    : 'All pictures are uploaded. Keep this page open.';
}

/**
 * Seller id of an upload, product id of an update → its progress; null while no bar shows it. It outlives the form,
 * which Back or an ended session unmounts.
 */
const useProgressStore = create<Readonly<Record<string, UploadStep | null>>>(() => ({}));

/** The progress of what is sent for this seller or product; undefined when nothing is. */
export const useUploadStep = (id: string): UploadStep | null | undefined =>
  useProgressStore((all) => all[id]);

/** Whether an upload of this seller, or an update of this product, runs in this tab, also when its form is no longer mounted. */
export const isRunning = (id: string): boolean => useProgressStore.getState()[id] !== undefined;

export function setStep(id: string, step: UploadStep | null): void {
  useProgressStore.setState({ [id]: step });
}

export function clearStep(id: string): void {
  const { [id]: _, ...others } = useProgressStore.getState();
  useProgressStore.setState(others, true);
}

/** The browser asks for confirmation before the tab is closed while something is sent. */
const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();
useProgressStore.subscribe((all) => {
  if (Object.keys(all).length > 0) addEventListener('beforeunload', confirmLeave);
  else removeEventListener('beforeunload', confirmLeave);
});

/** Seller id of an upload, product id of an update → navigates from the mounted form. */
const navigators = new Map<string, () => void>();

/**
 * The path to which the form of this seller or product leads once everything is sent.
 * @returns navigates there; does nothing when the form is no longer mounted: a seller who went elsewhere
 * stays there
 */
export function useNavigateWhenDone(id: string, path: string): () => void {
  const navigate = useNavigate();
  const isStillOnPage = useIsStillOnPage();
  useEffect(() => {
    const navigateOn = () => {
      if (isStillOnPage()) void navigate(path);
    };
    navigators.set(id, navigateOn);
    return () => {
      if (navigators.get(id) === navigateOn) navigators.delete(id);
    };
  }, [id, path, navigate, isStillOnPage]);
  return () => navigators.get(id)?.();
}
