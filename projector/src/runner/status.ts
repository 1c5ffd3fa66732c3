import {
  type Documents,
  type EventStore,
  generationKey,
  isLoading,
  type ParkedStream,
  type Position,
  type ReadModelName,
  type State,
} from '@oja/platform';
import type { Reactor } from '../reactions/reactor.js';
import type { GenerationSupervisor } from './generation-supervisor.js';
import { checkpointOf, isAheadOfLog, pointerOf } from './pointer.js';
import { blockedStreams, readParkedStreams } from './quarantine.js';

export interface Lag {
  /** Events of the log after the checkpoint; at most `LAG_COUNTED`. */
  readonly events: number;
  /** How long it has been behind, in seconds; 0 when it is not. */
  readonly seconds: number;
}

/** Events are counted up to this number; it then means "at least so many". */
export const LAG_COUNTED = 10_000;

/**
 * How far a checkpoint is behind the log. The seconds are the age of the first missing event, which
 * says little when that event was seeded or imported. `now`: epoch milliseconds.
 */
async function lagOf(eventStore: EventStore, position: Position | null, now: number): Promise<Lag> {
  let events = 0;
  let first: string | null = null;
  for await (const event of eventStore.readAll({ after: position, limit: LAG_COUNTED })) {
    events++;
    first ??= event.metadata.time;
  }
  const seconds = first === null ? 0 : Math.max(0, (now - Date.parse(first)) / 1000);
  return { events, seconds };
}

/** Measures how far checkpoints are behind the log. Most are equal: each position is measured once. */
function createLagMeter(eventStore: EventStore, now: number) {
  const measured = new Map<Position | null, Promise<Lag>>();
  return (position: Position | null): Promise<Lag> => {
    const lag = measured.get(position) ?? lagOf(eventStore, position, now);
    measured.set(position, lag);
    return lag;
  };
}

/** How many heads are remembered: one every 5 seconds for almost three hours. */
const HEADS = 2_000;

/**
 * When each head of the log was first seen: tells since when a checkpoint is behind, whatever times
 * the events have.
 */
interface HeadHistory {
  look(head: Position | null, now: number): void;
  /** Since when the log is known to hold events after the position, in epoch milliseconds; null: not known. */
  behindSince(position: Position | null): number | null;
  /** Drops the heads up to a position that nobody will ask about again. */
  forget(before: Position | null): void;
}

export function createHeadHistory(): HeadHistory {
  let seen: { readonly head: Position; readonly at: number }[] = [];
  return {
    look(head, now) {
      if (head === null || seen.at(-1)?.head === head) return;
      seen.push({ head, at: now });
      if (seen.length > HEADS) seen.splice(1, 1);
    },
    behindSince: (position) =>
      seen.find(({ head }) => position === null || head > position)?.at ?? null,
    forget(before) {
      if (before !== null) seen = seen.filter(({ head }) => head > before);
    },
  };
}

/** State space: since when each generation is behind, as the projector that feeds it has seen it. */
const BEHIND = 'behind';

/** `since` is by generation key. All times are in epoch milliseconds. */
type Behind = { readonly at: number; readonly since: Readonly<Record<string, number | null>> };

/**
 * Stores since when each generation is behind, for `storedStatus`. `at`: epoch milliseconds. It never expires: what has
 * come after a projector's last report is missing since then at most, in a market that stands still, too.
 */
export async function storeBehindSince(
  state: State,
  since: Behind['since'],
  at: number,
): Promise<void> {
  const behind: Behind = { at, since };
  await state.put(BEHIND, 'projector', behind, at);
}

/**
 * Limits a lag to the time since the log was first seen to hold more. `since`: epoch milliseconds;
 * null: not known.
 */
const cappedLag = (lag: Lag, since: number | null, now: number): Lag =>
  since === null
    ? lag
    : { ...lag, seconds: Math.min(lag.seconds, Math.max(0, now - since) / 1000) };

/** One generation as the store knows it, whichever process feeds it. */
export interface StoredGeneration {
  readonly projection: string;
  readonly version: number;
  readonly generation: number;
  /** `live`: readers read it. `built`: fed beside the live one. `building`: a rebuild, or its first load, is under way. */
  readonly role: 'live' | 'built' | 'building';
  readonly checkpoint: Position | null;
  /** When the event at the checkpoint was recorded. */
  readonly checkpointTime: string | null;
  readonly lag: Lag;
  /** The log was restored and ends before the checkpoint: the model must be rebuilt. */
  readonly aheadOfLog: boolean;
  readonly parked: readonly ParkedStream[];
}

/**
 * How far every read model has come, from the store alone, for a process that runs no projector. A
 * model that no projector has begun has no generation. `now`: epoch milliseconds.
 */
export async function storedStatus(
  {
    eventStore,
    documents,
    state,
  }: { readonly eventStore: EventStore; readonly documents: Documents; readonly state: State },
  models: readonly ReadModelName[],
  now: number,
): Promise<readonly StoredGeneration[]> {
  const behind = (await state.get<Behind>(BEHIND, 'projector', now))?.value ?? null;
  const since = (key: string) => behind && (behind.since[key] ?? behind.at);
  const lag = createLagMeter(eventStore, now);

  async function begunOf(model: ReadModelName) {
    const pointer = await pointerOf(documents, model);
    if (pointer === null) return [];
    const numbers = [...pointer.fed, ...(pointer.building === null ? [] : [pointer.building])];
    const all = numbers.map(async (generation) => {
      const checkpoint = await checkpointOf(documents, model, generation);
      // Null: the generation was cleaned away between the two reads.
      return checkpoint && { model, pointer, generation, checkpoint };
    });
    return (await Promise.all(all)).filter((found) => found !== null);
  }

  const begun = (await Promise.all(models.map(begunOf))).flat();
  // After all checkpoints, as `isAheadOfLog` wants it.
  const head = begun.length === 0 ? null : await eventStore.head();
  return Promise.all(
    begun.map(async ({ model, pointer, generation, checkpoint }): Promise<StoredGeneration> => {
      const key = generationKey(model, generation);
      const parked = blockedStreams(await readParkedStreams(documents, key));
      const isBuilding = generation === pointer.building || generation === pointer.loading;
      const beside = isBuilding ? 'building' : 'built';
      return {
        projection: model.name,
        version: model.version,
        generation,
        role: generation === pointer.live && !isLoading(pointer) ? 'live' : beside,
        checkpoint: checkpoint.position,
        checkpointTime: checkpoint.time,
        lag: cappedLag(await lag(checkpoint.position), since(key), now),
        aheadOfLog: await isAheadOfLog(eventStore, checkpoint, head),
        parked,
      };
    }),
  );
}

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

/** Where a follower stands; undefined until it has read that. One that cannot read it is behind all the same. */
const stateOf = (
  position: Position | null | undefined,
  { lastError }: { lastError(): string | null },
) => (lastError() === null ? position : (position ?? null));

/** The status of the projector in this process, for operators. `now`: epoch milliseconds. */
export async function statusOf(sources: {
  readonly eventStore: EventStore;
  readonly supervisors: readonly GenerationSupervisor[];
  readonly reactor: Reactor;
  readonly now: number;
  readonly heads: HeadHistory;
}): Promise<ProjectorStatus> {
  const { eventStore, reactor, now, heads } = sources;
  const measure = createLagMeter(eventStore, now);
  /**
   * Undefined: not known yet. To take that for the beginning of the log would read thousands of events at every start.
   */
  const lag = async (position: Position | null | undefined): Promise<Lag> => {
    if (position === undefined) return { events: 0, seconds: 0 };
    const since = heads.behindSince(position) ?? now;
    return cappedLag(await measure(position), since, now);
  };
  // Before the lags: if the log is down, this fails before there are promises of lags that nobody awaits.
  const head = await eventStore.head();
  heads.look(head, now);
  const projections = sources.supervisors.flatMap(({ projection, fed, live }) =>
    fed().map(async ({ generation, worker, stopped }): Promise<ProjectionStatus> => {
      const at = worker.checkpoint();
      const checkpoint = at?.position ?? null;
      const isUnread = at === null && stopped === null;
      return {
        projection: projection.name,
        version: projection.version,
        generation,
        live: generation === live(),
        checkpoint,
        lag: await lag(stateOf(isUnread ? undefined : checkpoint, worker)),
        parked: worker.parked(),
        stopped,
        lastError: worker.lastError(),
      };
    }),
  );
  const at = reactor.position();
  return {
    head,
    projections: await Promise.all(projections),
    reactions: {
      checkpoint: at ?? null,
      lag: await lag(stateOf(at, reactor)),
      lastError: reactor.lastError(),
    },
  };
}
