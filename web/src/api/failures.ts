import { ApiError } from './error.js';

/** The message to show for anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Please try again.';
}

/**
 * Whether the market has answered that it did not do the work. Any other failure leaves open what became of it: it may
 * have been done, or be under way, at an earlier try with the same key.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 409) &&
  error.code !== 'in_progress';

/** Whether the work was surely not done: refused, or turned away before it was looked at. */
export const isSurelyUndone = (error: unknown): boolean =>
  isRefused(error) ||
  (error instanceof ApiError && !error.isRepeat && [401, 403, 404, 429].includes(error.status));

/** Whether the market has done something else with this Idempotency-Key. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'idempotency_key_reused';

/** The fields that a 400 lists as missing; empty for any other failure. */
export function missingFieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.status !== 400) return [];
  const { missingFields } = error.body;
  return Array.isArray(missingFields)
    ? missingFields.filter((field) => typeof field === 'string')
    : [];
}

/** Whether what an address names does not exist: nothing has this id, or nothing can have it. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
