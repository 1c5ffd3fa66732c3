import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordedEvent } from '../eventstore/port.js';

/** Span attributes: ids, kinds, counts and results. Never personal data or secrets. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

interface SpanOptions {
  /** OpenTelemetry's span kind. Default 'internal'. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
}

/** A timed operation within a trace. */
export interface Span {
  /** W3C Trace Context, with which another process continues the trace. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. Only the error's name is recorded, because its message may contain personal data. */
  failed(error: unknown): void;
  end(): void;
}

/** Creates spans. A `parent` string is a `traceparent`; an invalid one counts as none. */
export interface Tracer {
  start(name: string, options: SpanOptions, parent: Span | string | null): Span;
}

let tracer: Tracer | null = null;
const currentSpan = new AsyncLocalStorage<Span>();
/** Spans that have children. */
const parents = new WeakSet<Span>();

/** Turns tracing on with this tracer; null turns it off. */
export function setTracer(made: Tracer | null): void {
  tracer = made;
}

export const isTraced = (): boolean => tracer !== null;

/** The part of a span that the traced work may use. */
type SettableSpan = Pick<Span, 'set'>;
const noopSpan: SettableSpan = { set() {} };

async function within<T>(span: Span, work: (span: SettableSpan) => Promise<T>): Promise<T> {
  try {
    return await currentSpan.run(span, () => work(span));
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs the work in a child span of the current span. Without a current span, it just runs the work. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: SettableSpan) => Promise<T>,
): Promise<T> {
  const parent = tracer === null ? undefined : currentSpan.getStore();
  if (tracer === null || parent === undefined) return work(noopSpan);
  parents.add(parent);
  return within(tracer.start(name, options, parent), work);
}

/** Runs the work in a span, a child of `from` (a `traceparent`) or of the current span; else in a new trace. */
export function inTrace<T>(
  name: string,
  options: SpanOptions & { readonly from?: string },
  work: (span: SettableSpan) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  return span === null ? work(noopSpan) : within(span, work);
}

/** Like `inTrace`, but the caller ends the span; null when nothing is traced. */
export function startSpan(
  name: string,
  { from, ...options }: SpanOptions & { readonly from?: string },
): Span | null {
  if (tracer === null) return null;
  const parent = currentSpan.getStore() ?? null;
  if (from === undefined && parent !== null) parents.add(parent);
  return tracer.start(name, options, from ?? parent);
}

/**
 * Runs the work in a new trace that is sent only if it has child spans or fails. For repeated work such
 * as sweeps, which mostly find nothing to do.
 */
export async function inTraceIfNotEmpty<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer?.start(name, options, null) ?? null;
  if (span === null) return work();
  try {
    return await currentSpan.run(span, work);
  } catch (error) {
    span.failed(error);
    parents.add(span);
    throw error;
  } finally {
    // A span that is never ended is never sent.
    if (parents.has(span)) span.end();
  }
}

/** Runs `work` with the span as the current span. */
export const runIn = <T>(span: Span, work: () => T): T => currentSpan.run(span, work);

/** Adds attributes to the current span, if there is one. */
export function setSpanAttributes(attributes: Attributes): void {
  if (tracer !== null) currentSpan.getStore()?.set(attributes);
}

/** The trace context of the current span, for work that continues later or elsewhere; empty without one. */
export const traceparent = (): { readonly traceparent?: string } => {
  const span = tracer === null ? undefined : currentSpan.getStore();
  return span === undefined ? {} : { traceparent: span.traceparent };
};

/** How old an event may be to continue its trace, in milliseconds. Replays and imports belong to no trace. */
const MAX_LINK_AGE_MS = 10 * 60_000;

/** The spans of one batch. */
export interface BatchSpans {
  end(attributes: Attributes): void;
}
const noSpans: BatchSpans = { end() {} };

/**
 * Starts one span per trace in a batch, because a batch may hold the events of many commands. Each is a
 * child of its append's span, so that every trace is complete.
 */
export function startBatch(name: string, events: readonly RecordedEvent[]): BatchSpans {
  if (tracer === null) return noSpans;
  const since = new Date(Date.now() - MAX_LINK_AGE_MS).toISOString();
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
