import { join } from 'node:path';
import type { Readiness } from '@oja/http';
import { databases, type EventStore, whyStopped } from '@oja/platform';

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

/**
 * A full disk ends the writing of a file until there is room, a broken one for as long as the process runs,
 * while all is read as before: whoever sends requests here should send them elsewhere.
 */
export function addFilesTakeWrites(readiness: Readiness, dataDir: string): void {
  for (const name of databases)
    readiness.add(`writes to ${name}`, () => whyStopped(join(dataDir, name)) === null);
}
