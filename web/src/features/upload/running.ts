import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';
import { useIsStillOnPage } from '../../app/navigation.js';
import type { UploadStep } from './send.js';

/**
 * Seller id of an upload, product id of an update → its progress; null while no bar shows it. It outlives the form,
 * which Back or an ended session unmounts.
 */
const useRunning = create<Readonly<Record<string, UploadStep | null>>>(() => ({}));

/** The progress of what is sent for this seller or product; undefined when nothing is. */
export const useStep = (id: string): UploadStep | null | undefined => useRunning((all) => all[id]);

/** Whether an upload of this seller, or an update of this product, runs in this tab, also when its form is no longer mounted. */
export const isRunning = (id: string): boolean => useRunning.getState()[id] !== undefined;

export function setStep(id: string, step: UploadStep | null): void {
  useRunning.setState({ [id]: step });
}

export function endRun(id: string): void {
  const { [id]: _, ...others } = useRunning.getState();
  useRunning.setState(others, true);
}

/** The browser asks for confirmation before the tab is closed while something is sent. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault();
useRunning.subscribe((all) => {
  if (Object.keys(all).length > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
});

/** Seller id of an upload, product id of an update → navigates from the mounted form. */
const ways = new Map<string, () => void>();

/**
 * The path to which the form of this seller or product leads once everything is sent.
 * @returns navigates there; does nothing when the form is no longer mounted: a seller who went elsewhere
 * stays there
 */
export function useWayOn(id: string, path: string): () => void {
  const navigate = useNavigate();
  const isHere = useIsStillOnPage();
  useEffect(() => {
    const goOn = () => {
      if (isHere()) void navigate(path);
    };
    ways.set(id, goOn);
    return () => {
      if (ways.get(id) === goOn) ways.delete(id);
    };
  }, [id, path, navigate, isHere]);
  return () => ways.get(id)?.();
}
