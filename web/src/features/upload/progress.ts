import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';
import { useIsStillOnPage } from '../../app/navigation.js';
import type { UploadStep } from './send.js';

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
