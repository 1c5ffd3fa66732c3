import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it awaits, under one correlation id. */
export function withCorrelation<T>(correlationId: string, work: () => T): T {
  return storage.run(correlationId, work);
}

/** The id of the request or job that this code runs for; undefined outside of any. */
export function currentCorrelation(): string | undefined {
  return storage.getStore();
}
