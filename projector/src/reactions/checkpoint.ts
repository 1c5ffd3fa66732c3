import type { EventStore, Position, State, StateEntry } from '@oja/platform';

/** Kept in State, not with the read models: deleting those must not mail everyone again. */
const SPACE = 'reactions';
const KEY = 'checkpoint';

type ReactionCheckpoint = { readonly logId: string; readonly position: Position | null };
type StoredReactionCheckpoint = StateEntry<ReactionCheckpoint>;

/** The stored checkpoint; begun at the start of the log. @throws when State cannot be written. */
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

/** Moves the checkpoint; null when another process has moved it meanwhile. */
export async function moveCheckpoint(
  state: State,
  from: StoredReactionCheckpoint,
  to: ReactionCheckpoint,
  now: number,
  { durable = true } = {},
): Promise<StoredReactionCheckpoint | null> {
  const version = await state.put(SPACE, KEY, to, now, { if: from.version, durable });
  return version === null ? null : { ...from, value: to, version };
}

/**
 * Skips seeded or imported events: nothing up to the position is reacted to. Never goes back.
 * Users' events in between get no reaction, but their obligations stay.
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
    if ((await moveCheckpoint(state, stored, to, now)) !== null) return;
  }
}

const IMPORTED_KEY = 'passing-over';

type ImportDeclaration = { readonly ids: readonly string[] };

/**
 * Declares which events no process may react to, before an import appends them. It holds until it
 * is replaced or ended, so it also covers an import that is killed after its append. Move the
 * checkpoint past these events before declaring the next ones.
 */
export async function declareImported(
  state: State,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const declaration: ImportDeclaration = { ids };
  await state.put(SPACE, IMPORTED_KEY, declaration, now);
}

/** Ends the declaration. The checkpoint must have been moved past its events. */
export async function endImportDeclaration(state: State): Promise<void> {
  await state.delete(SPACE, IMPORTED_KEY);
}

/** Whether a declaration is left over from an import that was killed before it moved the checkpoint. */
export const hasImportDeclaration = async (state: State, now: number): Promise<boolean> =>
  (await state.get(SPACE, IMPORTED_KEY, now)) !== null;

/**
 * The ids of events not to react to; null when the checkpoint was moved meanwhile. Read after
 * events have arrived: an import declares them before it appends, and moves the checkpoint before
 * it declares others.
 */
export async function importedEventIds(
  state: State,
  stored: StoredReactionCheckpoint,
  now: number,
): Promise<ReadonlySet<string> | null> {
  const declaration = await state.get<ImportDeclaration>(SPACE, IMPORTED_KEY, now);
  const isHere = (await state.get(SPACE, KEY, now))?.version === stored.version;
  return isHere ? new Set(declaration?.value.ids) : null;
}
