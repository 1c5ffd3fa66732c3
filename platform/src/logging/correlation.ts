import { AsyncLocalStorage } from 'node:async_hooks';

/** What code runs for. */
interface Story {
  readonly correlationId: string;
  /** The number of the order that it is about, once that is known. */
  order?: string;
}

const storage = new AsyncLocalStorage<Story>();

/** Runs `work`, and all that it awaits, under one correlation id. */
export function withCorrelation<T>(correlationId: string, work: () => T): T {
  return storage.run({ correlationId }, work);
}

/** The id of the request or job that this code runs for; undefined outside of any. */
export function currentCorrelation(): string | undefined {
  return storage.getStore()?.correlationId;
}

/** From here on the lines of this request or job name the order. Its number opens nothing. */
export function concernsOrder(order: string): void {
  const story = storage.getStore();
  if (story) story.order ??= order;
}

/** What every line carries. */
export const currentStory = (): Readonly<Partial<Story>> => storage.getStore() ?? {};
