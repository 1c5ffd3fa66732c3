import { join } from 'node:path';
import { readModels as models } from '@oja/contracts/models';
import type { Readiness } from '@oja/http';
import {
  type Clock,
  databases,
  type EventStore,
  type ReadModels,
  type State,
  whyStopped,
} from '@oja/platform';

/** The name of this condition in `/readyz`. */
export const LOG_CONDITION = 'the log';

/**
 * The readiness condition of services that need the log. Query-service does not use it: its pages come from the read
 * models and work without the log. @throws StoreUnavailable when the log does not answer
 */
export async function checkLog({ head }: Pick<EventStore, 'head'>): Promise<true> {
  await head();
  return true;
}

interface Stores {
  readonly readModels: Pick<ReadModels, 'checkpointOf'>;
  readonly engines: { readonly state: Pick<State, 'get'> };
  readonly clock: Clock;
}

/**
 * Adds the conditions that the read models and State answer. Every service needs both: without them, each page, search
 * and order is answered 503, after a long wait. One document of each is read, which need not exist.
 */
export function addStoreConditions(
  readiness: Readiness,
  { readModels, engines, clock }: Stores,
): void {
  readiness.add('answers from the read models', async () => {
    await readModels.checkpointOf(models.catalogue);
    return true;
  });
  readiness.add('answers from State', async () => {
    await engines.state.get('readiness', 'any', clock.now());
    return true;
  });
}

/**
 * Adds a condition per database: that it takes writes. A full disk stops writes until there is room, a broken one until
 * the process ends. Reads still work then, but a load balancer should send requests elsewhere.
 */
export function addWriteConditions(readiness: Readiness, dataDir: string): void {
  for (const name of databases)
    readiness.add(`writes to ${name}`, () => whyStopped(join(dataDir, name)) === null);
}
