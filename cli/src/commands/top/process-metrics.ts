import { hostname } from 'node:os';
import type { Answer } from '../../answers/index.js';
import type { RunningProcess } from '../../runtime/running-processes.js';

/** How long to wait for a process's metrics, in seconds: once a minute, a projector computes those of the market. */
export const METRICS_PATIENCE_S = 3;

/** A histogram of one call's requests: how many took no longer than each bound, in seconds (cumulative). */
export interface Durations {
  /** The method and the pattern of the path. */
  readonly call: string;
  readonly status: number;
  readonly count: number;
  readonly buckets: readonly (readonly [bound: number, count: number])[];
}

/** The figures that a process exposes at `/metrics`; null for those it does not expose. */
export interface ProcessFigures {
  readonly memoryBytes: number | null;
  /** Processor time used since the process started. */
  readonly cpuSeconds: number | null;
  /** The 99th percentile of the event loop's delay. */
  readonly eventLoopP99Seconds: number | null;
  readonly requests: readonly Durations[];
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const DURATION = 'oja_http_request_duration_seconds';
/** Requests for the metrics themselves are not counted. */
const ASKING = 'route="/metrics"';

/** Parses the text format of Prometheus, as far as these figures need it. */
export function figuresIn(text: string): ProcessFigures {
  const single = new Map<string, number>();
  const requests = new Map<string, Durations & { count: number; buckets: [number, number][] }>();
  for (const line of text.split('\n')) {
    const [, name = '', labels, figure] = SAMPLE.exec(line) ?? [];
    if (labels === undefined) single.set(name, Number(figure));
    else if (name.startsWith(DURATION) && !labels.includes(ASKING)) {
      const { method, route, status, le } = Object.fromEntries(
        [...labels.matchAll(LABEL)].map(([, label, value]) => [label, value]),
      );
      const call = `${method} ${route}`;
      const key = `${call} ${status}`;
      const of = requests.get(key) ?? { call, status: Number(status), count: 0, buckets: [] };
      requests.set(key, of);
      if (name.endsWith('_count')) of.count = Number(figure);
      else if (le !== undefined)
        of.buckets.push([Number(le.replace('+Inf', 'Infinity')), Number(figure)]);
    }
  }
  const figure = (name: string) => single.get(name) ?? null;
  return {
    memoryBytes: figure('process_resident_memory_bytes'),
    cpuSeconds: figure('process_cpu_seconds_total'),
    eventLoopP99Seconds: figure('nodejs_eventloop_lag_p99_seconds'),
    requests: [...requests.values()],
  };
}

/** The metrics URL of a process, as seen from this machine; null when its heartbeat names no port. */
function addressOf({ host, listens }: RunningProcess): string | null {
  if (listens === undefined) return null;
  const here = host === hostname();
  const name = listens.host ?? (here ? '127.0.0.1' : host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${listens.port}/metrics`;
}

/** The current figures of a process; null when it does not answer. */
export async function figuresOf(process: RunningProcess): Promise<ProcessFigures | null> {
  const address = addressOf(process);
  if (address === null) return null;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(METRICS_PATIENCE_S * 1000) });
    return answer.ok ? figuresIn(await answer.text()) : null;
  } catch {
    return null;
  }
}

/** The requests between two looks; all of them when there was no earlier look, or when the process has restarted. */
export function requestsSince(
  now: ProcessFigures,
  before: ProcessFigures | null,
): readonly Durations[] {
  const earlier = new Map(before?.requests.map((each) => [`${each.call} ${each.status}`, each]));
  return now.requests.map((each) => {
    const { count = 0, buckets = [] } = earlier.get(`${each.call} ${each.status}`) ?? {};
    if (count > each.count) return each;
    return {
      ...each,
      count: each.count - count,
      buckets: each.buckets.map(([bound, n], i) => [bound, n - (buckets[i]?.[1] ?? 0)] as const),
    };
  });
}

/** The quantile (`share`: 0 to 1) of the durations in milliseconds, interpolated linearly inside its bucket. */
function within(share: number, buckets: ReadonlyMap<number, number>): number {
  const bounds = [...buckets].sort(([one], [other]) => one - other);
  const wanted = share * (bounds.at(-1)?.[1] ?? 0);
  let [from, below] = [0, 0];
  for (const [bound, count] of bounds) {
    if (count >= wanted && count > below)
      // The last bucket has no upper bound: its lower bound is all that is known.
      return (
        1000 *
        (Number.isFinite(bound)
          ? from + ((bound - from) * (wanted - below)) / (count - below)
          : from)
      );
    [from, below] = [bound, count];
  }
  return 1000 * from;
}

/** The figures of one call, over all statuses. */
export type CallTimes = Answer<'top'>['calls'][number];

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** The calls of these requests, with the highest 99th percentile first. */
export function slowest(requests: readonly Durations[]): readonly CallTimes[] {
  const calls = new Map<string, { count: number; buckets: Map<number, number> }>();
  for (const { call, count, buckets } of requests) {
    const of = calls.get(call) ?? { count: 0, buckets: new Map<number, number>() };
    calls.set(call, of);
    of.count += count;
    for (const [bound, n] of buckets) of.buckets.set(bound, (of.buckets.get(bound) ?? 0) + n);
  }
  return [...calls]
    .filter(([, { count }]) => count > 0)
    .map(([call, { count, buckets }]) => ({
      call,
      count,
      p50Ms: tenths(within(0.5, buckets)),
      p99Ms: tenths(within(0.99, buckets)),
    }))
    .sort((one, other) => other.p99Ms - one.p99Ms);
}
