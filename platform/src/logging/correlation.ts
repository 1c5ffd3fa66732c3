import { AsyncLocalStorage } from 'node:async_hooks';
import { markSpan } from '../tracing/trace.js';

/** What code runs for. */
interface Story {
  readonly correlationId: string;
  /** The number of the order that it is about, once that is known. */
  order?: string;
}

const storage = new AsyncLocalStorage<Story>();

/** Runs `work`, and all that it awaits, under one correlation id. */
export function withCorrelation<T>(correlationId: string, work: () => T): T {
  markSpan({ 'oja.correlation_id': correlationId });
  return storage.run({ correlationId }, work);
}

/** Runs `work` for no request and no job: what it writes is about more than the one that caused it. */
export function withoutStory(work: () => void): void {
  storage.exit(work);
}

/** The id of the request or job that this code runs for; undefined outside of any. */
export function currentCorrelation(): string | undefined {
  return storage.getStore()?.correlationId;
}

/** From here on the lines of this request or job name the order. Its number opens nothing. */
export function concernsOrder(order: string): void {
  const story = storage.getStore();
  if (story) story.order ??= order;
  markSpan({ 'oja.order': order });
}

/** What every line carries. */
export const currentStory = (): Readonly<Partial<Story>> => storage.getStore() ?? {};
