import { isDeepStrictEqual } from 'node:util';
import { eachPage, type Operation, type RecordedEvent } from '@oja/platform';
import { type BatchContext, loadFor, tryCatch } from './batch.js';
import type { EventBatch } from './event-batches.js';
import { type Fact, factOf } from './projection.js';
import { createUnitOfWork } from './unit-of-work.js';

/** Documents changed in one commit: this limits memory, and how long the writer and the event loop are busy. */
const PAGE = 200;

function fanOutFact({ projection }: BatchContext, event: RecordedEvent): Fact<unknown> | null {
  if (projection.fanOut?.events.includes(event.type) !== true) return null;
  const fact = tryCatch(() => factOf(projection, event));
  return fact.ok ? fact.value : null;
}

/** Whether an event changes so many documents that they are changed in pages. */
async function isWideFanOut(context: BatchContext, event: RecordedEvent): Promise<boolean> {
  const { projection, documents, physical } = context;
  const fact = fanOutFact(context, event);
  if (fact === null || projection.fanOut === undefined || context.parked.has(event.stream))
    return false;
  const of = projection.fanOut.of(fact);
  if (of === null) return false;
  const { collection, where } = of;
  const filter = [{ ...where, op: 'eq' as const }];
  return (await documents.count(physical(collection), filter)) > PAGE;
}

/** A part of a batch. `wide`: the id of its only event, if the fan-out of that is committed in pages first; else null. */
export interface BatchPart extends EventBatch {
  readonly wide: string | null;
}

/** Splits a batch so that each wide event has a part of its own. */
export async function splitWideEvents(
  context: BatchContext,
  batch: EventBatch,
): Promise<readonly BatchPart[]> {
  const parts: BatchPart[] = [];
  let events: RecordedEvent[] = [];
  const cut = (wide: string | null) => {
    const last = events.at(-1);
    if (last !== undefined)
      parts.push({ events, upTo: last.position, time: last.metadata.time, wide });
    events = [];
  };
  for (const event of batch.events) {
    const wide = await isWideFanOut(context, event);
    if (wide) cut(null);
    events.push(event);
    if (wide) cut(event.id);
  }
  if (parts.length === 0) return [{ ...batch, wide: null }];
  return parts.at(-1)?.upTo === batch.upTo ? parts : [...parts, { ...batch, events, wide: null }];
}

/**
 * Changes the documents of a wide event in pages, each in its own commit, before the event itself
 * is projected. The checkpoint stays before the event meanwhile: after a crash between two pages
 * all are done again, and a caller who waits for the event sees all of it. All earlier events must
 * be committed. `commit` returns false when somebody else has moved the checkpoint: then nothing
 * more is done, and this returns false, too.
 *
 * Poison is left to the projection of the event itself, which parks the stream.
 */
export async function fanOutInPages(
  context: BatchContext,
  event: RecordedEvent,
  commit: (operations: readonly Operation[]) => Promise<boolean>,
): Promise<boolean> {
  const { projection, documents, physical, skips, parked } = context;
  const { fanOut } = projection;
  const fact = fanOutFact(context, event);
  // An earlier event of the same batch may have parked the stream since the batch was split.
  if (fact === null || fanOut === undefined || skips.has(event) || parked.has(event.stream))
    return true;
  const of = fanOut.of(fact);
  if (of === null) return true;
  const unitOfWork = createUnitOfWork(documents, physical);
  const loaded = await loadFor(projection, unitOfWork, fact);
  const own = loaded.ok ? tryCatch(() => projection.project(fact, unitOfWork)) : loaded;
  if (!own.ok) return true;
  unitOfWork.apply(own.value);
  const { collection, where } = of;
  const query = { filter: [{ ...where, op: 'eq' as const }], limit: PAGE };
  for await (const page of eachPage(documents, physical(collection), query)) {
    const changed = tryCatch(() =>
      page.flatMap(({ id, document: before }): readonly Operation[] => {
        const document = fanOut.change(fact, id, before, unitOfWork);
        // Most likely done before a crash.
        if (isDeepStrictEqual(document, before)) return [];
        return [{ type: 'put', collection: physical(collection), id, document }];
      }),
    );
    if (!changed.ok) return true;
    if (!(await commit(changed.value))) return false;
  }
  return true;
}
