import { pause } from '../clock.js';
import type { TracingOptions } from './opentelemetry.js';
import { traceWith } from './trace.js';

export { tracedEngines } from './engines.js';
export type { TracingOptions } from './opentelemetry.js';
export {
  type BatchSpans,
  inSpan,
  inTrace,
  inTraceIfAny,
  isTraced,
  runIn,
  startBatch,
  startSpan,
  traceparent,
} from './trace.js';

/** How long the last spans may take at an end, in milliseconds. */
const FAREWELL_MS = 3_000;

/**
 * Begins to trace this process. What it takes is read only here: a market that is not traced loads none of it.
 * Answers how to end it, which sends what is left and never fails; where the collector is away its client goes on trying
 * after that, so the process must be ended.
 */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const { openTelemetry } = await import('./opentelemetry.js');
  const { tracer, flush, lost } = await openTelemetry(options);
  traceWith(tracer);
  return async () => {
    traceWith(null);
    const patience = new AbortController();
    // What could not be sent is counted.
    const flushed = flush().catch(() => undefined);
    await Promise.race([flushed, pause(FAREWELL_MS, patience.signal)]);
    patience.abort();
    if (lost() > 0) options.logger.warn({ lost: lost() }, 'spans were lost since the start');
  };
}
