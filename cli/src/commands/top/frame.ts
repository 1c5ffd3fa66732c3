import { EVENT_LOOP_LOOK_MS, type EventStore, type Position } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import {
  isRunning,
  type RunningProcess,
  runningProcesses,
} from '../../runtime/running-processes.js';
import { type MarketStatus, marketStatus } from '../status/figures.js';
import { figuresOf, type ProcessFigures, requestsSince, slowest } from './process-metrics.js';

/** One frame of `oja top`. */
export type Frame = Answer<'top'>;

/** The period over which orders and call times are counted. */
const WINDOW_MS = 60_000;
/** The largest share of the time that is spent on querying the stores. */
const SHARE_OF_TIME = 0.1;
/** How many of the last events are read at the first look. */
const FIRST_EVENTS = 1_000;

interface Counted {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: string;
}

/** Counts the events appended between two looks. `now`: epoch milliseconds. */
function createEventRate(eventStore: EventStore) {
  let after: Position | null = null;
  let lookedAt: number | null = null;
  let counted: Counted[] = [];
  return async (now: number) => {
    let events = 0;
    if (lookedAt === null) {
      const last = await eventStore.readLast(FIRST_EVENTS);
      after = last.at(-1)?.position ?? null;
      // Imported and seeded events have earlier times, which the filter below drops.
      counted = last.map(({ type, metadata }) => ({ at: Date.parse(metadata.time), type }));
      events = counted.filter(({ at }) => at > now - WINDOW_MS).length;
    } else
      for await (const { position, type } of eventStore.readAll({ after })) {
        after = position;
        events += 1;
        if (type === 'OrderPlaced' || type === 'PaymentVerified') counted.push({ at: now, type });
      }
    const seconds = (lookedAt === null ? WINDOW_MS : now - lookedAt) / 1000;
    lookedAt = now;
    counted = counted.filter(({ at }) => at > now - WINDOW_MS);
    const of = (wanted: string) => counted.filter(({ type }) => type === wanted).length;
    return {
      eventsPerSecond: events / Math.max(seconds, 0.001),
      ordersPlaced: of('OrderPlaced'),
      ordersPaid: of('PaymentVerified'),
    };
  };
}

/** The figures of the processes that answered at one look. */
interface Sample {
  readonly at: number;
  /** Keyed by process, as `processKey` gives it. */
  readonly figures: ReadonlyMap<string, ProcessFigures>;
  /** When each process started, in epoch milliseconds. */
  readonly began: ReadonlyMap<string, number>;
}

const processKey = ({ service, host, pid, since }: RunningProcess) =>
  [service, host, pid, since].join('/');

/**
 * The requests that all processes answered between two looks, or since they started when there was no earlier look.
 * A process that ran but did not answer at the earlier look is left out, because its counters cover its whole life.
 */
export const requestsBetween = (now: Sample, before: Sample | null) =>
  [...now.figures].flatMap(([name, figures]) => {
    const earlier = before?.figures.get(name) ?? null;
    const isNew = before === null || (now.began.get(name) ?? 0) >= before.at;
    return earlier !== null || isNew ? requestsSince(figures, earlier) : [];
  });

/** A process with its figures of now, and the CPU it has taken since the earlier ones, `seconds` ago. */
function processNow(
  { service, host, pid, since }: RunningProcess,
  figures: ProcessFigures | null,
  earlier: ProcessFigures | undefined,
  seconds: number | null,
): Frame['processes'][number] {
  const [cpu, cpuBefore] = [figures?.cpuSeconds ?? null, earlier?.cpuSeconds ?? null];
  const late = figures?.eventLoopP99Seconds ?? null;
  return {
    service,
    host,
    pid,
    since,
    answers: figures !== null,
    memoryBytes: figures?.memoryBytes ?? null,
    cpu: cpu === null || cpuBefore === null || !seconds ? null : (cpu - cpuBefore) / seconds,
    eventLoopP99Ms: late === null ? null : Math.max(0, late * 1000 - EVENT_LOOP_LOOK_MS),
  };
}

/**
 * Returns a function that reads one frame; rates are since the frame before. The stores are queried at
 * every look while that is quick, and less often the longer it takes. `wholeTimes`: call times are counted since the
 * processes started, not over the last minute.
 */
export function createFrameReader(
  context: AppContext,
  { wholeTimes = false }: { readonly wholeTimes?: boolean } = {},
): () => Promise<Frame> {
  const { engines, clock, config } = context;
  const eventRate = createEventRate(engines.eventStore);
  let samples: Sample[] = [];
  let known: readonly RunningProcess[] = [];
  let stored: { readonly until: number; readonly status: MarketStatus } | null = null;

  async function storedNow() {
    const began = performance.now();
    if (stored !== null && began < stored.until) return stored.status;
    const status = await marketStatus(context);
    const ended = performance.now();
    stored = { until: ended + (ended - began) / SHARE_OF_TIME, status };
    return status;
  }

  /** The processes with a recent heartbeat, and known ones that still answer although State takes no heartbeats. */
  async function askAll() {
    const heard = await runningProcesses(context);
    const names = new Set(heard.map(processKey));
    const silent = known.filter((each) => !names.has(processKey(each)));
    const asked = await Promise.all(
      [...heard, ...silent].map(async (each) => [each, await figuresOf(each)] as const),
    );
    const there = asked.filter(
      ([each, figures]) => figures !== null || names.has(processKey(each)),
    );
    known = there.map(([each]) => each);
    return there;
  }

  return async () => {
    const asked = await askAll();
    const now: Sample = {
      at: clock.now(),
      figures: new Map(
        asked.flatMap(([each, figures]) => (figures ? [[processKey(each), figures] as const] : [])),
      ),
      began: new Map(asked.map(([each]) => [processKey(each), Date.parse(each.since)])),
    };
    const before = samples.at(-1) ?? null;
    const kept = samples.filter(({ at }) => at > now.at - WINDOW_MS);
    const first = wholeTimes ? null : (kept[0] ?? null);
    samples = [...kept, now];
    const seconds = before === null ? null : (now.at - before.at) / 1000;
    const status = await storedNow();
    const requests =
      seconds === null || now.figures.size === 0 ? null : requestsBetween(now, before);
    const perSecond = (least: number) =>
      requests &&
      requests.reduce((sum, { status: code, count }) => sum + (code >= least ? count : 0), 0) /
        Math.max(seconds ?? 0, 0.001);
    return {
      time: new Date(now.at).toISOString(),
      running: asked.length > 0 || (await isRunning(context)),
      demo: config.demo,
      processes: asked.map(([each, figures]) =>
        processNow(each, figures, before?.figures.get(processKey(each)), seconds),
      ),
      requestsPerSecond: perSecond(0),
      failedPerSecond: perSecond(500),
      ...(await eventRate(now.at)),
      readModels: status.projections
        .filter(({ role }) => role === 'live')
        .map(({ projection, lag, parked }) => ({ projection, ...lag, parked: parked.length })),
      queues: status.queues,
      callsSeconds: first === null ? null : (now.at - first.at) / 1000,
      calls: slowest(requestsBetween(now, first)),
      complaints: status.complaints,
      disputedPayments: status.disputedPayments,
      payable: status.payableShares,
      problems: status.problems,
    };
  };
}
