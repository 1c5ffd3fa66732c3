import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeLimit } from './clock.js';

/** Bucket bounds in seconds: from a cached answer to the longest time that a client is kept waiting. */
const REQUEST_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Metrics {
  /** `route` is the route pattern, never the path itself: paths hold ids and secrets. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts an append that failed because the stream had moved on. `category` is that of the stream. */
  countAppendConflict(category: string): void;
  /** Sets how far a projection's checkpoint is behind the head of the log; null once there is no such projection. */
  setProjectionLag(projection: string, lag: { events: number; seconds: number } | null): void;
  /**
   * Registers a gauge that is read at each scrape. `read` returns pairs of a label value and a number;
   * without a label, the label value is ignored. When `read` fails, or takes longer than `MEASURE_MS`, the gauge is
   * left out of the scrape.
   */
  measure(
    gauge: { readonly name: string; readonly help: string; readonly label?: string },
    read: () => Promise<readonly (readonly [string, number])[]>,
  ): void;
  /** All metrics in the Prometheus text format, with its content type. */
  text(): Promise<{ contentType: string; body: string }>;
}

/** How long a scrape waits for a figure, in milliseconds. Prometheus waits ten seconds for all of them by default. */
const MEASURE_MS = 4_000;

/**
 * How often the event loop is looked at, in milliseconds. Each look wakes the process, which at the library's
 * ten was most of what an idle market did, and at a hundred still half of its wakings. Node counts the time from look
 * to look: on time is this much.
 */
export const EVENT_LOOP_LOOK_MS = 250;

/** Gauges of the library that are named like counters, which promtool refuses. The ones by type have the same figures. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Creates this process's registry, with Node's own metrics (event loop delay, memory, garbage collection). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const registers = [registry];
  const requests = new Histogram({
    name: 'oja_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const conflicts = new Counter({
    name: 'oja_append_conflicts_total',
    help: 'Appends refused because the stream had changed meanwhile',
    labelNames: ['category'],
    registers,
  });
  const lagEvents = new Gauge({
    name: 'oja_projection_lag_events',
    help: 'Number of events between the checkpoint of the projection and the head of the log',
    labelNames: ['projection'],
    registers,
  });
  const lagSeconds = new Gauge({
    name: 'oja_projection_lag_seconds',
    help: 'Seconds for which the projection has been behind the log',
    labelNames: ['projection'],
    registers,
  });
  return {
    measure({ name, help, label }, read) {
      const labelNames = label === undefined ? [] : [label];
      const gauge = new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          gauge.reset();
          // A gauge without labels is 0 after a reset, which would look like a real value.
          if (label === undefined) gauge.remove();
          const found = await withTimeLimit(MEASURE_MS, read(), []).catch(() => []);
          for (const [value, figure] of found)
            gauge.set(label === undefined ? {} : { [label]: value }, figure);
        },
      });
    },
    observeRequest: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    countAppendConflict: (category) => conflicts.inc({ category }),
    setProjectionLag: (projection, lag) => {
      if (lag === null) {
        lagEvents.remove({ projection });
        lagSeconds.remove({ projection });
        return;
      }
      lagEvents.set({ projection }, lag.events);
      lagSeconds.set({ projection }, lag.seconds);
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
