import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Checkpoint,
  type Clock,
  type Documents,
  type EventStore,
  generationKey,
  hasPassed,
  type Jobs,
  type Logger,
  type Metrics,
  type Position,
  pause,
  type State,
} from '@oja/platform';
import { createErrorRecorder } from './operations/errors.js';
import { createQuarantines } from './operations/records.js';
import type { Reaction } from './reactions/reactions.js';
import { createReactor } from './reactions/reactor.js';
import {
  createGenerationSupervisor,
  type GenerationSupervisor,
  supervise,
} from './runner/generation-supervisor.js';
import type { Projection } from './runner/projection.js';
import {
  createHeadHistory,
  type ProjectorStatus,
  statusOf,
  storeBehindSince,
} from './runner/status.js';
import { createWatchdog } from './runner/watchdog.js';

interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly state: State;
  readonly jobs: Jobs;
  readonly projections: readonly Projection[];
  readonly reactions: readonly Reaction[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'setProjectionLag'>;
}

/** Everything in this process that follows the log. */
export interface Projector {
  /** Resolves once every read model has been begun. Their documents come later. */
  start(): Promise<void>;
  /** Waits for the batches in progress. */
  stop(): Promise<void>;
  /**
   * Resolves to true once all live read models have passed the position, except those that stand
   * still at an event that cannot be projected; to false when the projector is stopped first.
   */
  caughtUp(position: Position): Promise<boolean>;
  status(): Promise<ProjectorStatus>;
}

/** How often lags are measured and dead subscriptions looked for, in milliseconds. */
const ROUND_MS = 5_000;
/** How often `caughtUp` reads the checkpoints in memory, in milliseconds. */
const POLL_MS = 4;

/**
 * Each generation, and the reactions, have a subscription of their own, over pages of the log that
 * all share. With a single one, the slowest reader would hold up the rest, a stopped or rebuilt
 * generation would need its own anyway, and their checkpoints differ. Event types are filtered in
 * this process, not by the engine: an engine that filters reports only now and then how far it has
 * skipped, while callers wait for the read model to pass what they just wrote.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { eventStore, projections, clock, metrics } = options;
  const recorder = createErrorRecorder(options.logger, options);
  const { logger } = recorder;
  const supervisors = projections.map((projection) =>
    createGenerationSupervisor({ ...options, logger, projection }),
  );
  const reactor = createReactor(options);
  const quarantines = createQuarantines(options);
  const watchdog = createWatchdog(logger);
  const stopping = new AbortController();
  // Each read model adds listeners to this signal, so Node's warning about too many is switched off.
  setMaxListeners(0, stopping.signal);
  let running: Promise<unknown> = Promise.resolve();
  /** Generations beside the live ones whose lags metrics have, by their names there. */
  let toldBeside: ReadonlySet<string> = new Set();

  const heads = createHeadHistory();
  const status = () => statusOf({ eventStore, supervisors, reactor, now: clock.now(), heads });

  /** Stored for `oja status`, which runs in another process. */
  async function tellBehind({ projections: all, reactions: { checkpoint } }: ProjectorStatus) {
    const positions = [checkpoint, ...all.map((generation) => generation.checkpoint)];
    const known = positions.filter((position) => position !== null).toSorted();
    if (known.length === positions.length) heads.forget(known[0] ?? null);
    const since = all.map(({ projection, version, generation, checkpoint: position }) => [
      generationKey({ name: projection, version }, generation),
      heads.behindSince(position),
    ]);
    await storeBehindSince(options.state, Object.fromEntries(since), clock.now());
  }

  function tellLags({ projections: all, reactions: { lag: ofReactions } }: ProjectorStatus): void {
    const beside = new Set<string>();
    for (const { projection, generation, live, lag } of all) {
      const name = live ? projection : `${projection}_g${generation}`;
      if (!live) beside.add(name);
      metrics.setProjectionLag(name, lag);
    }
    metrics.setProjectionLag('reactions', ofReactions);
    // One that was switched to or cleaned away must not keep its last lag.
    for (const name of toldBeside) if (!beside.has(name)) metrics.setProjectionLag(name, null);
    toldBeside = beside;
  }

  async function round(): Promise<void> {
    const now = await status();
    await tellBehind(now);
    tellLags(now);
    watchdog.check(now.head, [
      ...supervisors.flatMap(({ projection, fed }) =>
        fed()
          .filter(({ stopped }) => stopped === null)
          .map(({ generation, worker }) => ({
            name: `${projection.name}_g${generation}`,
            position: worker.checkpoint()?.position ?? null,
            pages: worker.pages(),
            restart: worker.restart,
          })),
      ),
      {
        name: 'reactions',
        position: reactor.position() ?? null,
        pages: 0,
        restart: reactor.restart,
      },
    ]);
    await quarantines.record(now.projections.filter(({ live }) => live));
  }

  async function rounds(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await round().catch((error: unknown) =>
        logger.warn({ err: error }, "a check of the read models' progress has failed"),
      );
      await pause(ROUND_MS, signal);
    }
  }

  return {
    async start() {
      for (const supervisor of supervisors) await supervisor.begin();
      const { signal } = stopping;
      running = Promise.all([
        supervise(supervisors, { ...options, logger }, signal),
        reactor.run(signal),
        rounds(signal),
      ]);
    },
    async stop() {
      stopping.abort();
      await running;
      await recorder.settled();
    },
    async caughtUp(position) {
      while (!stopping.signal.aborted) {
        if (
          supervisors.every(
            (supervisor) => isHeld(supervisor) || hasPassed(liveCheckpoint(supervisor), position),
          )
        )
          return true;
        await wait(POLL_MS);
      }
      return false;
    },
    status,
  };
}

const isHeld = ({ fed, live }: GenerationSupervisor): boolean =>
  fed().some(
    ({ generation, worker, isLoading }) =>
      generation === live() && !isLoading && worker.parked().some(({ holdsAll }) => holdsAll),
  );

/**
 * The live checkpoint as this process knows it; null before the first look, while readers wait for
 * the generation to be loaded, and while a restored log ends before it.
 */
function liveCheckpoint({ fed, live }: GenerationSupervisor): Checkpoint | null {
  const entry = fed().find(({ generation }) => generation === live());
  return entry === undefined || entry.isLoading ? null : entry.worker.checkpoint();
}
