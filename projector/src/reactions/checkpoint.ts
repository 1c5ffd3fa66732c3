import type { EventStore, Position, State, StateEntry } from '@oja/platform';

/** Kept in State, not beside the read models: whoever throws those away must not mail everyone again. */
const SPACE = 'reactions';
const KEY = 'checkpoint';

export type ReactionCheckpoint = { readonly logId: string; readonly position: Position | null };
export type StoredReactionCheckpoint = StateEntry<ReactionCheckpoint>;

/** The stored checkpoint, begun at zero. @throws when State cannot be written. */
export async function reactionCheckpoint(
  eventStore: EventStore,
  state: State,
  now: number,
): Promise<StoredReactionCheckpoint> {
  for (;;) {
    const stored = await state.get<ReactionCheckpoint>(SPACE, KEY, now);
    if (stored !== null) return stored;
    const start: ReactionCheckpoint = { logId: await eventStore.logId(), position: null };
    await state.put(SPACE, KEY, start, now, { if: 'absent' });
  }
}

/** Null when another process has moved it meanwhile. */
export async function moveReactions(
  state: State,
  from: StoredReactionCheckpoint,
  to: ReactionCheckpoint,
  now: number,
): Promise<StoredReactionCheckpoint | null> {
  const version = await state.put(SPACE, KEY, to, now, { if: from.version });
  return version === null ? null : { ...from, value: to, version };
}

/**
 * Passes over what was seeded or imported: nothing up to the position is reacted to. Never goes back.
 * Events of people in between are lost to reactions but not to obligations.
 */
export async function skipReactionsTo(
  eventStore: EventStore,
  state: State,
  position: Position,
  now: number,
): Promise<void> {
  for (;;) {
    const stored = await reactionCheckpoint(eventStore, state, now);
    if (stored.value.position !== null && stored.value.position >= position) return;
    const to = { ...stored.value, position };
    if ((await moveReactions(state, stored, to, now)) !== null) return;
  }
}

const PASSING = 'passing-over';

type PassingOver = { readonly ids: readonly string[] };

/**
 * Says which events nobody may react to, before they are appended, in whatever process: for an import.
 * It holds until it is said of others or ended, so one that is killed after its append has said it too.
 * Move the checkpoint past them before saying it of the next.
 */
export async function passOver(state: State, ids: readonly string[], now: number): Promise<void> {
  const passing: PassingOver = { ids };
  await state.put(SPACE, PASSING, passing, now);
}

/** There is nothing to pass over any more. The checkpoint must have been moved past it. */
export async function endPassingOver(state: State): Promise<void> {
  await state.delete(SPACE, PASSING);
}

/** Whether events were to be passed over by somebody who was killed before the checkpoint was moved. */
export const isPassingOver = async (state: State, now: number): Promise<boolean> =>
  (await state.get(SPACE, PASSING, now)) !== null;

/**
 * The ids of events not to react to; null: the checkpoint has been moved meanwhile. Asked when events
 * have come: whoever imports says what it is before they append, and moves the checkpoint before they
 * say anything else.
 */
export async function passedOver(
  state: State,
  stored: StoredReactionCheckpoint,
  now: number,
): Promise<ReadonlySet<string> | null> {
  const passing = await state.get<PassingOver>(SPACE, PASSING, now);
  const isHere = (await state.get(SPACE, KEY, now))?.version === stored.version;
  return isHere ? new Set(passing?.value.ids) : null;
}
