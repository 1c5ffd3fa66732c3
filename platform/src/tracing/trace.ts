import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordedEvent } from '../eventstore/port.js';

/** What is said of a span: ids, kinds, counts, results. Never what people told of themselves, and no secret. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

interface SpanOptions {
  /** Whom it deals with, in OpenTelemetry's words. Default: nobody outside of this process. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
}

/** Something that takes its time, as a part of a trace. */
export interface Span {
  /** W3C Trace Context: what makes another process go on from here. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Of an error its name alone is told: its message may quote people. */
  failed(error: unknown): void;
  end(): void;
}

/** What makes spans. A `parent` that is text is a `traceparent`; one that means nothing is none. */
export interface Tracer {
  start(name: string, options: SpanOptions, parent: Span | string | null): Span;
}

let tracer: Tracer | null = null;
const inHand = new AsyncLocalStorage<Span>();
/** Spans that others are a part of. */
const parents = new WeakSet<Span>();

/** From here on this process is traced; null: no longer. */
export function traceWith(made: Tracer | null): void {
  tracer = made;
}

export const isTraced = (): boolean => tracer !== null;

/** What work may say of its span. */
type Told = Pick<Span, 'set'>;
const nobodyListens: Told = { set() {} };

async function within<T>(span: Span, work: (span: Told) => Promise<T>): Promise<T> {
  try {
    return await inHand.run(span, () => work(span));
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Works as a part of the trace in hand. Where there is none it just works. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Told) => Promise<T>,
): Promise<T> {
  const parent = tracer === null ? undefined : inHand.getStore();
  if (tracer === null || parent === undefined) return work(nobodyListens);
  parents.add(parent);
  return within(tracer.start(name, options, parent), work);
}

/** Works as a part of the trace in hand or of the one that `from`, a `traceparent`, names; else a trace begins. */
export function inTrace<T>(
  name: string,
  options: SpanOptions & { readonly from?: string },
  work: (span: Told) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  return span === null ? work(nobodyListens) : within(span, work);
}

/** The same where the end is the caller's to tell, of the span as of the work; null where nothing is traced. */
export function startSpan(
  name: string,
  { from, ...options }: SpanOptions & { readonly from?: string },
): Span | null {
  if (tracer === null) return null;
  const parent = inHand.getStore() ?? null;
  if (from === undefined && parent !== null) parents.add(parent);
  return tracer.start(name, options, from ?? parent);
}

/**
 * Works as the beginning of a trace of which nothing is told where nothing came of it: what is done again and again, as
 * a sweep is, mostly finds that nothing is to be done.
 */
export async function inTraceIfAny<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer?.start(name, options, null) ?? null;
  if (span === null) return work();
  try {
    return await inHand.run(span, work);
  } catch (error) {
    span.failed(error);
    parents.add(span);
    throw error;
  } finally {
    // A span that never ends is never sent.
    if (parents.has(span)) span.end();
  }
}

/** What is done in `work` belongs to the span. */
export const runIn = <T>(span: Span, work: () => T): T => inHand.run(span, work);

/** Says something of the span in hand, if there is one. */
export function markSpan(attributes: Attributes): void {
  if (tracer !== null) inHand.getStore()?.set(attributes);
}

/** What names the span in hand to whoever goes on later, elsewhere. */
export const traceparent = (): { readonly traceparent?: string } => {
  const span = tracer === null ? undefined : inHand.getStore();
  return span === undefined ? {} : { traceparent: span.traceparent };
};

/** How long an event is news, in milliseconds: replays, imports and rebuilds belong to nobody's trace. */
const NEWS_MS = 10 * 60_000;

/** The spans of one batch. */
export interface BatchSpans {
  end(attributes: Attributes): void;
}
const noSpans: BatchSpans = { end() {} };

/**
 * A batch may hold the events of many commands, and each is somebody's trace: one span for each, as a child of its
 * append, so that every trace is whole.
 */
export function startBatch(name: string, events: readonly RecordedEvent[]): BatchSpans {
  if (tracer === null) return noSpans;
  const since = new Date(Date.now() - NEWS_MS).toISOString();
  const types = new Map<string, string[]>();
  for (const { type, metadata } of events) {
    if (metadata.traceparent === undefined || metadata.time < since) continue;
    types.set(metadata.traceparent, [...(types.get(metadata.traceparent) ?? []), type]);
  }
  if (types.size === 0) return noSpans;
  const spans = [...types].flatMap(([from, own]) => {
    const attributes = { 'oja.events': own.join(' '), 'oja.batch': events.length };
    return startSpan(name, { kind: 'consumer', from, attributes }) ?? [];
  });
  return {
    end(attributes) {
      for (const span of spans) {
        span.set(attributes);
        span.end();
      }
    },
  };
}
