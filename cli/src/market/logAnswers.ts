import type { EventStore } from '@oja/platform';

/** What `/readyz` calls it. */
export const THE_LOG = 'the log';

/**
 * Whether the log answers, for those who can do nothing without it. Pages are read from the read models
 * and go on without, so query-service does not ask. @throws StoreUnavailable
 */
export async function logAnswers({ head }: Pick<EventStore, 'head'>): Promise<true> {
  await head();
  return true;
}
