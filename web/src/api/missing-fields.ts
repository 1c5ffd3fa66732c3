import { ApiError } from './error.js';

/** The fields that a 400 names as missing; none for any other failure. */
export function missingFieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.status !== 400) return [];
  const { missingFields } = error.body;
  return Array.isArray(missingFields)
    ? missingFields.filter((field) => typeof field === 'string')
    : [];
}
