import type { Position as ServerPosition } from '@eventstore/db-client';
import { pause } from '../../clock.js';
import {
  type RecordedEvent,
  StoreUnavailable,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../port.js';
import { describe, isUnexplained, judge } from './failures.js';
import { type FollowOptions, follow, isBehind } from './follow.js';
import type { ReadDeps } from './read.js';
import { isSystem, parsed, toServer } from './recorded-event.js';
import { pauseBefore } from './retry-policy.js';

/** So many unwanted events are passed before a subscriber hears how far it has come. */
const checkpointEvery = 500;
/** So often a failure that the server does not explain may follow another with nothing heard between. */
const unexplainedFailures = 10;

export interface SubscribeDeps
  extends Pick<FollowOptions, 'client' | 'times' | 'head'>,
    Pick<ReadDeps, 'onForeign'> {
  /** The last event that stands before a place in the server's log, if one stands near. */
  before(place: ServerPosition): Promise<RecordedEvent | null>;
  /** A subscription ended and is begun again. */
  onResubscribe(why: string): void;
}

/**
 * The log from a position on, for as long as the signal lets it. Whatever ends a subscription (the
 * server's death, a slow reader, silence), it goes on behind the last position its reader has handled.
 *
 * Where only some types are wanted, the server leaves out the others while there is something to catch up with. At
 * the log's end it sends all: it says how far it is only after many records, and somebody waits for each place.
 *
 * @throws StoreUnavailable when the server refuses, or fails again and again without saying why: it
 *   does so for a position that is no event's.
 */
export async function* subscription(
  deps: SubscribeDeps,
  { after, signal, types }: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void, void> {
  const wanted = types ? new Set(types) : null;
  /** How far the reader has come, and from where the server may go on: it counts its own records, too. */
  let seen = after;
  let from: ServerPosition | null = after === null ? null : toServer(after);
  /** Passed over, and not yet told. */
  let passed: RecordedEvent | null = null;
  let skipped = 0;
  let caughtUp = false;
  let failures = 0;
  /** The server said that there is no more to catch up with. */
  let isLive = types === undefined;

  const isWanted = ({ type }: RecordedEvent) => wanted === null || wanted.has(type);

  while (!signal.aborted) {
    let ending = 'it ended';
    let wasLive = true;
    try {
      if (!isLive) {
        isLive = !isBehind(seen, await deps.head());
      }
      wasLive = isLive;
      const asked = isLive || types === undefined ? null : types;
      const arrivals = follow({
        ...deps,
        from,
        types: asked,
        signal,
        seen: () => passed?.position ?? seen,
      });
      for await (const arrival of arrivals) {
        if (signal.aborted) return;
        if (arrival.kind !== 'lull') failures = 0;
        if (arrival.kind === 'event') {
          const { event } = arrival.resolved;
          if (event === undefined) continue;
          const recorded = isSystem(event) ? null : parsed(event);
          if (recorded === null) {
            if (!isSystem(event)) deps.onForeign(event);
          } else if (isWanted(recorded)) {
            passed = null;
            yield { kind: 'event', event: recorded };
            seen = recorded.position;
          } else {
            passed = recorded;
            skipped += 1;
          }
          from = event.position;
        } else if (arrival.kind === 'scanned') {
          from = arrival.position;
          if (asked !== null) {
            // The server's own count of places goes between events, and none could be followed from there.
            const event = await deps.before(arrival.position);
            if (event !== null && isBehind(seen, event.position)) passed = event;
          }
        } else if (arrival.kind === 'caught-up' && asked !== null) {
          isLive = true;
          break;
        }
        const isTime = arrival.kind !== 'event' || skipped >= checkpointEvery;
        if (passed !== null && isTime && (asked !== null || arrival.kind !== 'scanned')) {
          const { position, metadata }: RecordedEvent = passed;
          passed = null;
          skipped = 0;
          yield { kind: 'checkpoint', position, time: metadata.time };
          seen = position;
        }
        if (arrival.kind === 'caught-up' && !caughtUp) {
          caughtUp = true;
          yield { kind: 'caught-up' };
        }
      }
    } catch (error) {
      const verdict = judge(error);
      if (verdict === 'bug') throw error;
      ending = describe(error);
      if (verdict === 'refused' || (isUnexplained(error) && failures >= unexplainedFailures))
        throw new StoreUnavailable(
          `EventStoreDB does not let the log be followed from ${seen ?? 'its beginning'}: ${ending}`,
          verdict === 'refused',
        );
    }
    if (signal.aborted) return;
    if (isLive && !wasLive) continue;
    isLive = types === undefined;
    deps.onResubscribe(ending);
    await pause(pauseBefore(failures), signal);
    failures += 1;
  }
}
