import {
  type Documents,
  messageOf,
  type Operation,
  type ParkedStream,
  QUARANTINE,
  type RecordedEvent,
  systemClock,
  yieldToEventLoop,
} from '@oja/platform';
import type { Skips } from '../operations/records.js';
import { type Change, type Fact, type FanOut, factOf, type Projection } from './projection.js';
import { type Changed, createUnitOfWork, type UnitOfWork } from './unit-of-work.js';

/** An event that cannot be parsed or projected, and why. */
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
  /** The generation key, under which parked streams are stored. */
  readonly model: string;
  physical(collection: string): string;
  /** Changes of the previous batch, which may not be committed yet. Default: none. */
  readonly uncommitted?: Changed;
  /** Parked streams by name. The batch adds those that it parks. */
  readonly parked: Map<string, ParkedStream>;
  /** The id of the event whose fan-out has already been committed in pages. */
  readonly fannedOut?: string;
  /** The events that operators have skipped. */
  readonly skips: Skips;
  /** 'park': park the poisoned stream and go on. 'stop': return the poison. */
  readonly onPoison: 'park' | 'stop';
}

/** How long projecting may keep the event loop, in milliseconds: a batch of a load takes much longer. */
const MAX_BLOCK_MS = 10;

type ParsedFact = { readonly ok: true; readonly fact: Fact<unknown> | null } | Failure;
type Failure = { readonly ok: false; readonly error: string };

/**
 * Computes what a batch of events changes, as operations to commit with the checkpoint. Only engine
 * failures are thrown.
 */
export async function projectBatch(
  context: BatchContext,
  events: readonly RecordedEvent[],
): Promise<BatchResult> {
  const { projection } = context;
  const unitOfWork = createUnitOfWork(context.documents, context.physical, context.uncommitted);
  const facts = events.map((event) => ({ event, read: parseFact(projection, event) }));
  await prefetch(projection, unitOfWork, facts);
  const touched = new Set<string>();
  let turnBegan = performance.now();
  for (const { event, read } of facts) {
    if (performance.now() - turnBegan > MAX_BLOCK_MS) {
      await yieldToEventLoop();
      turnBegan = performance.now();
    }
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
    context.parked.set(event.stream, toParkedStream(context.model, event, outcome.error));
    touched.add(event.stream);
  }
  return {
    ok: true,
    operations: [...unitOfWork.operations(), ...parkingOperations(context, touched)],
    changed: unitOfWork.changed,
  };
}

/** The id of a parked stream's document. `model`: the generation key. */
export function parkedId(model: string, stream: string): string {
  return `${model}/${stream}`;
}

/** Loads the documents that an event needs. Asks `reads` again after each load, until it names no new document. */
export async function loadFor(
  projection: Projection,
  unitOfWork: UnitOfWork,
  fact: Fact<unknown>,
): Promise<{ readonly ok: true } | Failure> {
  for (;;) {
    const keys = tryCatch(() => projection.reads(fact, unitOfWork));
    if (!keys.ok) return keys;
    if (!(await unitOfWork.load(keys.value))) return { ok: true };
  }
}

async function projectOne(
  { projection, fannedOut }: BatchContext,
  unitOfWork: UnitOfWork,
  { id, type }: RecordedEvent,
  fact: Fact<unknown> | null,
): Promise<{ readonly ok: true } | Failure> {
  if (fact === null) return { ok: true };
  const loaded = await loadFor(projection, unitOfWork, fact);
  if (!loaded.ok) return loaded;
  const changes = tryCatch(() => projection.project(fact, unitOfWork));
  if (!changes.ok) return changes;
  unitOfWork.apply(changes.value);
  if (projection.fanOut?.events.includes(type) !== true || fannedOut === id) return { ok: true };
  return applyFanOut(projection.fanOut, unitOfWork, fact);
}

/** Applies the fan-out together with the event, when there are few documents. */
async function applyFanOut(
  fanOut: FanOut,
  unitOfWork: UnitOfWork,
  fact: Fact<unknown>,
): Promise<{ readonly ok: true } | Failure> {
  const of = tryCatch(() => fanOut.of(fact));
  if (!of.ok) return of;
  if (of.value === null) return { ok: true };
  const { collection, where } = of.value;
  await unitOfWork.load([of.value]);
  const changes = tryCatch(() =>
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

/** Loads what the events by themselves say they need, for the whole batch at once. */
async function prefetch(
  projection: Projection,
  unitOfWork: UnitOfWork,
  facts: readonly { readonly read: ParsedFact }[],
): Promise<void> {
  const keys = facts.flatMap(({ read }) => {
    if (!read.ok || read.fact === null) return [];
    const { fact } = read;
    const named = tryCatch(() => projection.reads(fact, unitOfWork));
    return named.ok ? named.value : [];
  });
  await unitOfWork.load(keys);
}

function parseFact(projection: Projection, event: RecordedEvent): ParsedFact {
  const fact = tryCatch(() => factOf(projection, event));
  return fact.ok ? { ok: true, fact: fact.value } : fact;
}

/** Runs code of a projection; what it throws becomes the error of the result. */
export function tryCatch<T>(work: () => T): { readonly ok: true; readonly value: T } | Failure {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}

/** The quarantine document of a stream that this event stops, as of now. */
export function toParkedStream(model: string, event: RecordedEvent, error: string): ParkedStream {
  return {
    model,
    stream: event.stream,
    revision: event.revision,
    position: event.position,
    eventId: event.id,
    eventType: event.type,
    since: new Date(systemClock.now()).toISOString(),
    error,
    events: 1,
  };
}

function parkingOperations(
  context: BatchContext,
  touched: ReadonlySet<string>,
): readonly Operation[] {
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
