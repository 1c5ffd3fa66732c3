import {
  type AppendResult,
  checkedAppend,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
  type SerializedEvent,
  type StreamName,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../eventstore/port.js';
import { type Access, createNotifier, type Notifier, runImmediately } from './access.js';

/** Shared by all stores opened on the same log. */
export interface MemoryLog {
  readonly id: string;
  readonly events: RecordedEvent[];
  readonly streams: Map<StreamName, RecordedEvent[]>;
  readonly notifier: Notifier;
}

export const createMemoryLog = (id: string): MemoryLog => ({
  id,
  events: [],
  streams: new Map(),
  notifier: createNotifier(),
});

/** How many events a subscription reads at once. */
const PAGE = 64;

/** The log in memory, for simulations and tests; nothing survives the process. */
export function createMemoryEventStore(
  log: MemoryLog,
  access: Access = runImmediately,
): EventStore {
  const { events, streams, notifier } = log;
  const closing = new AbortController();

  return {
    logId: () => access('log id', () => log.id),
    async append(stream, expected, given) {
      const checked = checkedAppend(stream, expected, given);
      return access('append', () => append(log, stream, expected, checked));
    },
    async *readStream(stream, { from = 0 } = {}) {
      yield* await access('read stream', () => streams.get(stream)?.slice(from) ?? []);
    },
    async *readAll({ after, limit = Number.POSITIVE_INFINITY }) {
      const start = indexAfter(after);
      yield* await access('read all', () => events.slice(start, start + limit));
    },
    readLast: (limit) => access('read last', () => (limit <= 0 ? [] : events.slice(-limit))),
    head: () => access('head', () => events.at(-1)?.position ?? null),
    subscribe(options) {
      const signal = AbortSignal.any([options.signal, closing.signal]);
      return subscription(events, notifier, access, { ...options, signal });
    },
    async close() {
      closing.abort();
    },
  };
}

const indexAfter = (after: Position | null) => (after === null ? 0 : Number(numberOf(after)));

function append(
  log: MemoryLog,
  stream: StreamName,
  expected: ExpectedRevision,
  given: readonly SerializedEvent[],
): AppendResult {
  const known = log.streams.get(stream) ?? [];
  const first = expected === 'no-stream' ? 0 : expected + 1;
  if (known.length !== first) {
    const there = known.slice(first, first + given.length);
    const end = there.at(-1);
    const isSame = there.length === given.length && there.every(({ id }, i) => id === given[i]?.id);
    if (isSame && end) return { ok: true, revision: end.revision, position: end.position };
    return { ok: false, reason: 'wrong-revision', actual: known.at(-1)?.revision ?? 'no-stream' };
  }
  let last = positionOf(log.events.length);
  for (const [index, { id, type, data, metadata }] of given.entries()) {
    last = positionOf(log.events.length + 1);
    const recorded: RecordedEvent = {
      id,
      type,
      data: JSON.parse(data) as EventToAppend['data'],
      metadata: JSON.parse(metadata) as EventToAppend['metadata'],
      stream,
      revision: first + index,
      position: last,
    };
    log.events.push(recorded);
    known.push(recorded);
  }
  log.streams.set(stream, known);
  log.notifier.notify();
  return { ok: true, revision: first + given.length - 1, position: last };
}

async function* subscription(
  events: readonly RecordedEvent[],
  notifier: Notifier,
  access: Access,
  { after, signal, types }: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void> {
  let next = indexAfter(after);
  let isLive = false;
  let isNew = false;
  let wake: (() => void) | null = null;
  const unlisten = notifier.listen(() => {
    isNew = true;
    if (wake !== null) void access('news', wake);
    wake = null;
  });
  const onAbort = () => wake?.();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      isNew = false;
      const page = await access('subscription', () => events.slice(next, next + PAGE));
      next += page.length;
      let passed: RecordedEvent | null = null;
      for (const event of page) {
        if (signal.aborted) return;
        passed = types === undefined || types.includes(event.type) ? null : event;
        if (passed === null) yield { kind: 'event', event };
      }
      if (passed !== null) {
        const { position, metadata } = passed;
        yield { kind: 'checkpoint', position, time: metadata.time };
      }
      // A short page reached the head as it was then; others may append without a pause.
      if (page.length < PAGE && !isLive) {
        isLive = true;
        yield { kind: 'caught-up' };
      }
      if (page.length > 0 || isNew || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    unlisten();
    signal.removeEventListener('abort', onAbort);
  }
}
