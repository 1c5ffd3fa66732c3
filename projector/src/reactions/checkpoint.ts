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

const PAUSE = 'paused';

/**
 * Nothing is reacted to until `until` (epoch milliseconds), in whatever process: for an import, whose
 * events must be passed over before anybody has seen them. Call it again to hold it longer.
 */
export async function pauseReactions(state: State, until: number, now: number): Promise<void> {
  await state.put(SPACE, PAUSE, {}, now, { expiresAt: until });
}

/** Reactions go on, from the stored checkpoint. */
export async function resumeReactions(state: State): Promise<void> {
  await state.delete(SPACE, PAUSE);
}

/**
 * Whether what came after the checkpoint may be reacted to now. Asked when it has come: whoever imports
 * pauses before they append, and moves the checkpoint before they resume.
 */
export async function mayReact(
  state: State,
  stored: StoredReactionCheckpoint,
  now: number,
): Promise<'yes' | 'paused' | 'moved'> {
  if ((await state.get(SPACE, PAUSE, now)) !== null) return 'paused';
  return (await state.get(SPACE, KEY, now))?.version === stored.version ? 'yes' : 'moved';
}
