/** The pictures are the first half of an upload, the post the second. */
const HALF = 50;

/** How far an upload is, and what it is doing. */
export type UploadStep =
  | {
      readonly phase: 'pictures';
      /** Each picture's share that has gone out, 0 to 1. */
      readonly parts: readonly number[];
      /** The one on its way, counted from 1. */
      readonly at: number;
    }
  | { readonly phase: 'post'; readonly done: boolean };

/** 0 to 50 while the pictures go up, 50 to 100 for the post. */
export function percentOf(step: UploadStep): number {
  if (step.phase === 'post') return step.done ? 2 * HALF : HALF;
  const sum = step.parts.reduce((total, part) => total + part, 0);
  return step.parts.length === 0 ? HALF : Math.floor((HALF * sum) / step.parts.length);
}

/** What is being done, in words. */
export function wordsOfStep(step: UploadStep): string {
  return step.phase === 'pictures'
    ? `Picture ${step.at} of ${step.parts.length}. Keep this page open.`
    : 'All pictures are up. Keep this page open.';
}
