import { ApiError } from './error.js';

/** Whether what an address names does not exist: nothing has this id, or nothing can have it. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
