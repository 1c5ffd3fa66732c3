import { createReadModels, type Documents, type EventStore } from '@oja/platform';
import type { Projection } from '../../src/index.js';
import { createGenerationSupervisor, supervise } from '../../src/runner/generation-supervisor.js';
import { deferred } from './deferred.js';
import { MemoryDocuments } from './documents.js';
import type { MemoryLog } from './log.js';
import { quiet, shop } from './shop.js';

/** Follows the log with a new projector until the projection has passed its head or `until` resolves;
 * with `only`, just until `until` resolves. */
export async function follow(
  eventStore: EventStore,
  documents: Documents,
  projection: Projection,
  options: { readonly batchSize: number; readonly until?: Promise<void>; readonly only?: boolean },
): Promise<void> {
  const stop = new AbortController();
  const supervisor = createGenerationSupervisor({
    eventStore,
    documents,
    projection,
    logger: quiet,
    ...options,
  });
  await supervisor.begin();
  const running = supervise([supervisor], { documents, logger: quiet }, stop.signal);
  const head = await eventStore.head();
  const passed =
    head === null
      ? Promise.resolve()
      : createReadModels(documents).waitFor([projection], head, 30_000, stop.signal);
  await (options.only === true ? options.until : Promise.race([passed, options.until ?? passed]));
  stop.abort();
  await running;
}

/** The documents of a projection's generation: collection, then id, then canonical JSON. */
export function contents(
  documents: MemoryDocuments,
  projection: Projection,
  generation = 1,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return Object.fromEntries(
    Object.keys(projection.collections).map((name) => {
      const table = documents.tables.get(
        `${projection.name}_v${projection.version}_g${generation}_${name}`,
      );
      const rows = [...(table ?? new Map<string, string>())];
      return [name, Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)))];
    }),
  );
}

/** Follows the log; after `commits` commits the next one fails, as if the process was killed. */
export async function dieAfter(
  log: EventStore,
  documents: MemoryDocuments,
  projection: Projection,
  commits: number,
  batchSize: number,
): Promise<void> {
  let left = commits;
  const dead = deferred();
  documents.beforeCommit = async () => {
    if (left-- > 0) return;
    dead.resolve();
    throw new Error('killed');
  };
  await follow(log, documents, projection, { batchSize, until: dead.promise }).catch(
    () => undefined,
  );
  documents.beforeCommit = async () => {};
}

/** What the events of a log make of the shop, with nothing in the way. */
export async function rebuilt(log: MemoryLog) {
  const documents = new MemoryDocuments();
  await follow(log, documents, shop, { batchSize: 500 });
  return contents(documents, shop);
}
