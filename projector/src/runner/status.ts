import type { EventStore, ParkedStream, Position } from '@oja/platform';
import type { Reactor } from '../reactions/reactor.js';
import type { Keeper } from './keeper.js';
import { type Lag, lagOf } from './lag.js';

export interface ProjectionStatus {
  readonly projection: string;
  readonly version: number;
  readonly generation: number;
  /** Whether readers read this generation. */
  readonly live: boolean;
  readonly checkpoint: Position | null;
  readonly lag: Lag;
  readonly parked: readonly ParkedStream[];
  /** Why it stands still; null while it follows the log. */
  readonly stopped: string | null;
  readonly lastError: string | null;
}

export interface ProjectorStatus {
  readonly head: Position | null;
  readonly projections: readonly ProjectionStatus[];
  readonly reactions: {
    readonly checkpoint: Position | null;
    readonly lag: Lag;
    readonly lastError: string | null;
  };
}

/** What an operator reads. `now`: epoch milliseconds. */
export async function statusOf(sources: {
  readonly eventStore: EventStore;
  readonly keepers: readonly Keeper[];
  readonly reactor: Reactor;
  readonly now: number;
}): Promise<ProjectorStatus> {
  const { eventStore, reactor, now } = sources;
  const measured = new Map<Position | null, Promise<Lag>>();
  /** Most stand at the same place: each place is measured once. */
  const lag = (position: Position | null): Promise<Lag> => {
    const known = measured.get(position) ?? lagOf(eventStore, position, now);
    measured.set(position, known);
    return known;
  };
  // Before the lags are asked for: where the log is away, nobody would hear of theirs.
  const head = await eventStore.head();
  const projections = sources.keepers.flatMap(({ projection, kept, live }) =>
    kept().map(async ({ generation, feed, stopped }): Promise<ProjectionStatus> => {
      const checkpoint = feed.checkpoint()?.position ?? null;
      return {
        projection: projection.name,
        version: projection.version,
        generation,
        live: generation === live(),
        checkpoint,
        lag: await lag(checkpoint),
        parked: feed.parked(),
        stopped,
        lastError: feed.lastError(),
      };
    }),
  );
  return {
    head,
    projections: await Promise.all(projections),
    reactions: {
      checkpoint: reactor.position(),
      lag: await lag(reactor.position()),
      lastError: reactor.lastError(),
    },
  };
}
