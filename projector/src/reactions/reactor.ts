import {
  type Clock,
  correlated,
  type EventStore,
  type Jobs,
  type Logger,
  type Position,
  type RecordedEvent,
  type State,
} from '@oja/platform';
import { arrivals } from '../runner/arrivals.js';
import { linked, messageOf, persevere } from '../runner/persevere.js';
import { moveReactions, passedOver, reactionCheckpoint } from './checkpoint.js';
import { jobId, type Reaction } from './reaction.js';

export interface ReactorOptions {
  readonly eventStore: EventStore;
  readonly state: State;
  readonly jobs: Jobs;
  readonly reactions: readonly Reaction[];
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Follows the log once, for all reactions, and puts their jobs into queues. */
export interface Reactor {
  run(signal: AbortSignal): Promise<void>;
  /** Begins its subscription anew. */
  restart(): void;
  position(): Position | null;
  lastError(): string | null;
}

const BATCH = 100;

export function createReactor(options: ReactorOptions): Reactor {
  const { eventStore, state, jobs, reactions, logger, clock } = options;
  const wanted = new Set(reactions.flatMap(({ events }) => events));
  let subscription = new AbortController();
  let position: Position | null = null;
  let lastError: string | null = null;

  async function reactTo(event: RecordedEvent): Promise<void> {
    for (const reaction of reactions) {
      if (!reaction.events.includes(event.type) || isStale(reaction, event)) continue;
      for (const request of requestsOf(reaction, event)) {
        const data = correlated(request.data, event.metadata.correlationId);
        await jobs.add(request.queue, data, {
          id: jobId(event, reaction, request),
          ...(request.delayMs === undefined ? {} : { delayMs: request.delayMs }),
        });
      }
    }
  }

  function isStale(reaction: Reaction, event: RecordedEvent): boolean {
    const age = clock.now() - Date.parse(event.metadata.time);
    return reaction.staleAfterMs !== undefined && age > reaction.staleAfterMs;
  }

  /** An event that cannot be read is passed over, told: what must happen is an obligation as well. */
  function requestsOf(reaction: Reaction, event: RecordedEvent) {
    try {
      return reaction.react(event);
    } catch (error) {
      lastError = messageOf(error);
      const { type, stream } = event;
      logger.error({ reaction: reaction.name, type, stream, error: lastError }, 'no reaction');
      return [];
    }
  }

  async function follow(signal: AbortSignal): Promise<'again'> {
    let stored = await reactionCheckpoint(eventStore, state, clock.now());
    const logId = await eventStore.logId();
    const head = await eventStore.head();
    const at = stored.value.position;
    if (stored.value.logId !== logId || (at !== null && (head === null || at > head))) {
      logger.warn({ position: at, head }, 'the log was restored: reactions go on at its end');
      const moved = await moveReactions(state, stored, { logId, position: head }, clock.now());
      if (moved === null) return 'again';
      stored = moved;
    }
    position = stored.value.position;
    const { controller, release } = linked(signal);
    subscription = controller;
    try {
      const items = eventStore.subscribe({ after: position, signal: controller.signal });
      const batches = arrivals(items, {
        wanted: (event) => wanted.has(event.type),
        size: () => BATCH,
        controller,
        idleMs: 1_000,
      });
      for await (const arrival of batches) {
        if (controller.signal.aborted) break;
        const passed = await passedOver(state, stored, clock.now());
        if (passed === null) return 'again';
        for (const event of arrival.events) if (!passed.has(event.id)) await reactTo(event);
        const to = { logId, position: arrival.upTo };
        const moved = await moveReactions(state, stored, to, clock.now());
        if (moved === null) return 'again';
        stored = moved;
        position = arrival.upTo;
      }
      return 'again';
    } finally {
      release();
    }
  }

  return {
    async run(signal) {
      await persevere(() => follow(signal), {
        signal,
        progress: () => position,
        onError(error) {
          lastError = error;
          logger.warn({ error }, 'reactions could not reach their engines');
        },
      });
    },
    restart: () => subscription.abort(),
    position: () => position,
    lastError: () => lastError,
  };
}
