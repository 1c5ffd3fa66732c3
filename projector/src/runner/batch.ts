import {
  type Documents,
  type Operation,
  type ParkedStream,
  QUARANTINE,
  type RecordedEvent,
} from '@oja/platform';
import type { Skips } from '../operations/records.js';
import { type Change, type Fact, type FanOut, factOf, type Projection } from './projection.js';
import { type Changed, createUnitOfWork, type UnitOfWork } from './unit-of-work.js';

/** The event that cannot be read or projected, and why. */
export interface Poison {
  readonly event: RecordedEvent;
  readonly error: string;
}

export type BatchResult =
  | { readonly ok: true; readonly operations: readonly Operation[]; readonly changed: Changed }
  | { readonly ok: false; readonly poison: Poison };

export interface BatchContext {
  readonly projection: Projection;
  readonly documents: Documents;
  /** The generation key: what parked streams are filed under. */
  readonly model: string;
  physical(collection: string): string;
  /** Of the batch before, which may not be committed yet. Default: nothing. */
  readonly underway?: Changed;
  /** The streams that wait, by name. A batch that parks one puts it here. */
  readonly parked: Map<string, ParkedStream>;
  /** The event whose fan-out has been committed in pages already, by its id. */
  readonly fannedOut?: string;
  /** What operators have passed over. */
  readonly skips: Skips;
  /** 'park' sets a poisoned stream aside and goes on; 'stop' gives the poison back. */
  readonly onPoison: 'park' | 'stop';
}

type Read = { readonly ok: true; readonly fact: Fact<unknown> | null } | Failed;
type Failed = { readonly ok: false; readonly error: string };

/**
 * What a batch of events changes, as operations to commit with the checkpoint. Only engine failures
 * are thrown.
 */
export async function projectBatch(
  context: BatchContext,
  events: readonly RecordedEvent[],
): Promise<BatchResult> {
  const { projection } = context;
  const unitOfWork = createUnitOfWork(context.documents, context.physical, context.underway);
  const facts = events.map((event) => ({ event, read: read(projection, event) }));
  await prefetch(projection, unitOfWork, facts);
  const touched = new Set<string>();
  for (const { event, read } of facts) {
    const waiting = context.parked.get(event.stream);
    if (waiting !== undefined) {
      context.parked.set(event.stream, { ...waiting, events: waiting.events + 1 });
      touched.add(event.stream);
      continue;
    }
    if (context.skips.has(event)) continue;
    const outcome = read.ok ? await projectOne(context, unitOfWork, event, read.fact) : read;
    if (outcome.ok || (await context.skips.hasNow(event))) continue;
    if (context.onPoison === 'stop') return { ok: false, poison: { event, error: outcome.error } };
    context.parked.set(event.stream, park(context.model, event, outcome.error));
    touched.add(event.stream);
  }
  return {
    ok: true,
    operations: [...unitOfWork.operations(), ...parkings(context, touched)],
    changed: unitOfWork.changed,
  };
}

/** The id of a parked stream's document. */
export function parkedId(model: string, stream: string): string {
  return `${model}/${stream}`;
}

/** Fetches what an event needs: asked again with what it named, until it names no new document. */
export async function loadFor(
  projection: Projection,
  unitOfWork: UnitOfWork,
  fact: Fact<unknown>,
): Promise<{ readonly ok: true } | Failed> {
  for (;;) {
    const keys = attempt(() => projection.reads(fact, unitOfWork));
    if (!keys.ok) return keys;
    if (!(await unitOfWork.load(keys.value))) return { ok: true };
  }
}

async function projectOne(
  { projection, fannedOut }: BatchContext,
  unitOfWork: UnitOfWork,
  { id, type }: RecordedEvent,
  fact: Fact<unknown> | null,
): Promise<{ readonly ok: true } | Failed> {
  if (fact === null) return { ok: true };
  const loaded = await loadFor(projection, unitOfWork, fact);
  if (!loaded.ok) return loaded;
  const changes = attempt(() => projection.project(fact, unitOfWork));
  if (!changes.ok) return changes;
  unitOfWork.apply(changes.value);
  if (projection.fanOut?.events.includes(type) !== true || fannedOut === id) return { ok: true };
  return fanOutAtOnce(projection.fanOut, unitOfWork, fact);
}

/** With the event, where the documents are few. */
async function fanOutAtOnce(
  fanOut: FanOut,
  unitOfWork: UnitOfWork,
  fact: Fact<unknown>,
): Promise<{ readonly ok: true } | Failed> {
  const of = attempt(() => fanOut.of(fact));
  if (!of.ok) return of;
  if (of.value === null) return { ok: true };
  const { collection, where } = of.value;
  await unitOfWork.load([of.value]);
  const changes = attempt(() =>
    unitOfWork.find(collection, where.field, where.value).map(
      ({ id, document }): Change => ({
        type: 'put',
        collection,
        id,
        document: fanOut.change(fact, id, document, unitOfWork),
      }),
    ),
  );
  if (changes.ok) unitOfWork.apply(changes.value);
  return changes;
}

/** One question to the store for the whole batch, where the events alone say what they need. */
async function prefetch(
  projection: Projection,
  unitOfWork: UnitOfWork,
  facts: readonly { readonly read: Read }[],
): Promise<void> {
  const keys = facts.flatMap(({ read }) => {
    if (!read.ok || read.fact === null) return [];
    const { fact } = read;
    const named = attempt(() => projection.reads(fact, unitOfWork));
    return named.ok ? named.value : [];
  });
  await unitOfWork.load(keys);
}

function read(projection: Projection, event: RecordedEvent): Read {
  const fact = attempt(() => factOf(projection, event));
  return fact.ok ? { ok: true, fact: fact.value } : fact;
}

export function attempt<T>(work: () => T): { readonly ok: true; readonly value: T } | Failed {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error: sentenceOf(error) };
  }
}

/** In one line: what a schema refuses is told as a list of JSON, which nobody reads. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('issues' in error) || !Array.isArray(error.issues)) return error.message;
  const issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] =
    error.issues;
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

export function park(model: string, event: RecordedEvent, error: string): ParkedStream {
  return {
    model,
    stream: event.stream,
    revision: event.revision,
    position: event.position,
    eventId: event.id,
    eventType: event.type,
    since: event.metadata.time,
    error,
    events: 1,
  };
}

function parkings(context: BatchContext, touched: ReadonlySet<string>): readonly Operation[] {
  return [...touched].flatMap((stream) => {
    const document = context.parked.get(stream);
    if (document === undefined) return [];
    return [
      {
        type: 'put',
        collection: QUARANTINE,
        id: parkedId(context.model, stream),
        document,
      } satisfies Operation,
    ];
  });
}
