import { join } from 'node:path';
import type { Readiness } from '@oja/http';
import { databases, type EventStore, whyStopped } from '@oja/platform';

/** The name of this condition in `/readyz`. */
export const THE_LOG = 'the log';

/**
 * The readiness condition of services that need the log. Query-service does not use it: its pages come from the read
 * models and work without the log. @throws StoreUnavailable when the log does not answer
 */
export async function logAnswers({ head }: Pick<EventStore, 'head'>): Promise<true> {
  await head();
  return true;
}

/**
 * Adds a condition per database: that it takes writes. A full disk stops writes until there is room, a broken one until
 * the process ends. Reads still work then, but a load balancer should send requests elsewhere.
 */
export function addFilesTakeWrites(readiness: Readiness, dataDir: string): void {
  for (const name of databases)
    readiness.add(`writes to ${name}`, () => whyStopped(join(dataDir, name)) === null);
}
