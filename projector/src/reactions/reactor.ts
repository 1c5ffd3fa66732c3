import {
  type Clock,
  type EventStore,
  type Jobs,
  type Logger,
  messageOf,
  type Position,
  type RecordedEvent,
  type State,
  withEventCorrelation,
} from '@oja/platform';
import { batchSubscription } from '../runner/event-batches.js';
import { linkedController, withRetry } from '../runner/retry.js';
import { importedEventIds, moveCheckpoint, reactionCheckpoint } from './checkpoint.js';
import { jobId, type Reaction } from './reactions.js';

interface ReactorOptions {
  readonly eventStore: EventStore;
  readonly state: State;
  readonly jobs: Jobs;
  readonly reactions: readonly Reaction[];
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Follows the log once for all reactions, and puts their jobs into queues. */
export interface Reactor {
  run(signal: AbortSignal): Promise<void>;
  /** Ends the subscription and begins a new one. */
  restart(): void;
  /** Null at the beginning of the log; undefined until the stored position is read. */
  position(): Position | null | undefined;
  /** Null once events arrive again. */
  lastError(): string | null;
}

const BATCH = 100;

/** Follows the log and adds each job that its events ask for at least once. */
export function createReactor(options: ReactorOptions): Reactor {
  const { eventStore, state, jobs, reactions, logger, clock } = options;
  const wanted = new Set(reactions.flatMap(({ events }) => events));
  let subscription = new AbortController();
  let position: Position | null | undefined;
  let lastError: string | null = null;

  /** Adds all jobs in parallel, since each one waits for the disk. */
  async function reactTo(events: readonly RecordedEvent[]): Promise<void> {
    const requested = events.flatMap((event) =>
      reactions
        .filter((reaction) => reaction.events.includes(event.type) && !isStale(reaction, event))
        .flatMap((reaction) =>
          requestsOf(reaction, event).map((request) => ({ event, reaction, request })),
        ),
    );
    await Promise.all(
      requested.map(({ event, reaction, request }) =>
        jobs.add(request.queue, withEventCorrelation(request.data, event.metadata), {
          id: jobId(event, reaction, request),
          ...(request.delayMs === undefined ? {} : { delayMs: request.delayMs }),
        }),
      ),
    );
  }

  function isStale(reaction: Reaction, event: RecordedEvent): boolean {
    const age = clock.now() - Date.parse(event.metadata.time);
    return reaction.staleAfterMs !== undefined && age > reaction.staleAfterMs;
  }

  /** An event that cannot be parsed is logged and skipped: what must happen is an obligation as well. */
  function requestsOf(reaction: Reaction, event: RecordedEvent) {
    try {
      return reaction.react(event);
    } catch (error) {
      lastError = messageOf(error);
      const { type, stream } = event;
      logger.error(
        { reaction: reaction.name, type, stream, error: lastError },
        'no job was queued for an event that could not be read',
      );
      return [];
    }
  }

  async function follow(signal: AbortSignal): Promise<'again'> {
    let stored = await reactionCheckpoint(eventStore, state, clock.now());
    const logId = await eventStore.logId();
    const head = await eventStore.head();
    const at = stored.value.position;
    if (stored.value.logId !== logId || (at !== null && (head === null || at > head))) {
      logger.warn(
        { position: at, head },
        'the event log was restored: jobs are queued only for events after its end',
      );
      const moved = await moveCheckpoint(state, stored, { logId, position: head }, clock.now());
      if (moved === null) return 'again';
      stored = moved;
    }
    position = stored.value.position;
    const { controller, release } = linkedController(signal);
    subscription = controller;
    try {
      const items = eventStore.subscribe({
        after: stored.value.position,
        signal: controller.signal,
      });
      const batches = batchSubscription(items, {
        wanted: (event) => wanted.has(event.type),
        size: () => BATCH,
        controller,
        idleMs: 1_000,
      });
      for await (const batch of batches) {
        if (controller.signal.aborted) break;
        lastError = null;
        const imported = await importedEventIds(state, stored, clock.now());
        if (imported === null) return 'again';
        await reactTo(batch.events.filter(({ id }) => !imported.has(id)));
        const to = { logId, position: batch.upTo };
        // Not durable: after a power cut the same events add the same jobs, which exist already.
        const moved = await moveCheckpoint(state, stored, to, clock.now(), {
          durable: false,
        });
        if (moved === null) return 'again';
        stored = moved;
        position = batch.upTo;
      }
      return 'again';
    } finally {
      release();
    }
  }

  return {
    async run(signal) {
      await withRetry(() => follow(signal), {
        signal,
        progress: () => position,
        onError(error) {
          lastError = messageOf(error);
          logger.warn(
            { err: error },
            'jobs for new events could not be queued: an engine does not answer',
          );
        },
      });
    },
    restart: () => subscription.abort(),
    position: () => position,
    lastError: () => lastError,
  };
}
