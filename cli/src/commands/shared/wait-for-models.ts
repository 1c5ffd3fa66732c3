import { setTimeout as wait } from 'node:timers/promises';
import { allOf, type Documents, hasPassed, type ReadModelName } from '@oja/platform';
import { catchUp, checkpointOf, type Projection, pointerOf } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { isRunning } from '../../runtime/running-processes.js';
import { Exit, failedExit } from '../../terminal/exit.js';
import { sayNote } from '../../terminal/output.js';
import { projectionNamed } from './named.js';

/** Milliseconds without progress after which this process does the work of a projector that runs elsewhere. */
const STANDSTILL_MS = 3_000;
const POLL_MS = 25;

/**
 * Resolves once a generation has passed the current head of the log. Waits for the projector of a running market;
 * when it makes no progress, or nothing serves the market, this process projects the events itself. Should a projector
 * just be starting, the two compete for each commit, and one finds its work done.
 * @throws Exit 1 when the generation cannot pass an event.
 */
export async function waitForGeneration(
  context: AppContext,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const { engines, logger } = context;
  const { eventStore, documents } = engines;
  const head = await eventStore.head();
  if (head === null) return;
  const standstillMs = (await isRunning(context)) ? STANDSTILL_MS : 0;
  let unchangedSince = performance.now();
  for (let lastPosition: string | null = null; ; ) {
    signal.throwIfAborted();
    const checkpoint = await checkpointOf(documents, projection, generation);
    const isLoading = async () => (await pointerOf(documents, projection))?.loading === generation;
    if (hasPassed(checkpoint, head) && !(await isLoading())) return;
    const position = checkpoint?.position ?? null;
    if (position !== lastPosition) unchangedSince = performance.now();
    lastPosition = position;
    if (performance.now() - unchangedSince >= standstillMs) break;
    await wait(POLL_MS);
  }
  const options = { eventStore, documents, projection, generation, logger, signal };
  const end = await catchUp(options, head);
  signal.throwIfAborted();
  if (end.kind === 'passed') return;
  throw failedExit(stuckReason(projection, end));
}

const replacedMessage = (name: string): string =>
  `${name} was replaced by another generation meanwhile: run the command again.`;

/**
 * Does some work that reads generations of a read model.
 * @throws Exit 1 when one of them was cleaned away meanwhile, whatever the work then has found or has failed of.
 */
export async function requireUnreplaced<T>(
  documents: Documents,
  model: ReadModelName,
  generations: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const [done] = await Promise.allSettled([work()]);
  const kept = await Promise.all(generations.map((one) => checkpointOf(documents, model, one)));
  if (kept.includes(null)) throw failedExit(replacedMessage(model.name));
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

export const aheadOfLogMessage = (name: string): string =>
  `${name} is ahead of the end of the log, which was restored: start the market, which rebuilds it.`;

/** Where a read model is stored. @throws Exit 1 when no projector has begun it. */
export async function requirePointer(documents: Documents, projection: Projection) {
  const pointer = await pointerOf(documents, projection);
  if (pointer === null)
    throw failedExit(`No projector has begun ${projection.name} yet: start the market.`);
  return pointer;
}

type Stuck = Exclude<Awaited<ReturnType<typeof catchUp>>, { readonly kind: 'passed' }>;

/** Why a read model does not follow the log, and what to do about it. */
function stuckReason({ name }: Projection, end: Stuck): string {
  switch (end.kind) {
    case 'poisoned': {
      const { event, error } = end.poison;
      return `${name} has stopped at revision ${event.revision} of ${event.stream} (${event.type}): ${error}. What waits: oja quarantine show ${name} ${event.stream}.`;
    }
    case 'ahead-of-log':
      return aheadOfLogMessage(name);
    case 'gone':
    case 'stopped':
      return replacedMessage(name);
  }
}

/**
 * Waits until the live generations of these read models have passed the current head of the log, all at the same time.
 * @throws Exit 1 when one of them cannot pass an event.
 */
export async function waitForModels(
  context: AppContext,
  models: readonly ReadModelName[],
  signal: AbortSignal,
): Promise<void> {
  await allOf(models.map(({ name }) => waitForModel(context, name, signal)));
}

async function waitForModel(context: AppContext, name: string, signal: AbortSignal): Promise<void> {
  const projection = projectionNamed(name);
  const pointer = await pointerOf(context.engines.documents, projection).catch(() => null);
  await waitForGeneration(context, projection, pointer?.live ?? 1, signal);
}

/**
 * Like `waitForModels`, but a read model that cannot follow the log does not stop the others. Returns the reasons, by
 * the name of the read model.
 */
export async function tryWaitForModels(
  context: AppContext,
  models: readonly ReadModelName[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const stuck = new Map<string, string>();
  await allOf(
    models.map(({ name }) =>
      waitForModel(context, name, signal).catch((error: unknown) => {
        if (!(error instanceof Exit)) throw error;
        stuck.set(name, error.message);
      }),
    ),
  );
  return stuck;
}

/** Waits for one read model. If it cannot follow the log, prints the reason as a note and returns it; null otherwise. */
export async function waitOrNote(
  context: AppContext,
  model: ReadModelName,
  signal: AbortSignal,
): Promise<string | null> {
  const why = (await tryWaitForModels(context, [model], signal)).get(model.name) ?? null;
  if (why !== null) sayNote(why);
  return why;
}
