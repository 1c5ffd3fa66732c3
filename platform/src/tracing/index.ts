import { withTimeLimit } from '../clock.js';
import type { TracingOptions } from './opentelemetry.js';
import { setTracer } from './trace.js';

export { tracedEngines } from './engines.js';
export type { TracingOptions } from './opentelemetry.js';
export {
  type BatchSpans,
  inSpan,
  inTrace,
  inTraceIfNotEmpty,
  isTraced,
  runIn,
  startBatch,
  startSpan,
  traceparent,
} from './trace.js';

/** How long sending the last spans may take, in milliseconds. */
const FAREWELL_MS = 3_000;

/**
 * Starts tracing this process. OpenTelemetry is loaded only here: a market without tracing loads none of
 * it. Returns a function that stops tracing and sends the remaining spans; it never fails. If the
 * collector is away, its client keeps retrying even then, so the process must exit explicitly.
 */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const { openTelemetry } = await import('./opentelemetry.js');
  const { tracer, flush, lost } = await openTelemetry(options);
  setTracer(tracer);
  return async () => {
    setTracer(null);
    // Unsent spans are counted in `lost`.
    const flushed = flush().catch(() => undefined);
    await withTimeLimit(FAREWELL_MS, flushed, undefined);
    if (lost() > 0)
      options.logger.warn({ lost: lost() }, 'tracing spans were lost since the start');
  };
}
