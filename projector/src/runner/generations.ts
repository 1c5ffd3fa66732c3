import { setTimeout as wait } from 'node:timers/promises';
import {
  CHECKPOINTS,
  type Documents,
  type EventStore,
  generationKey,
  hasPassed,
  modelKey,
  POINTERS,
  type Pointer,
  type ReadModelName,
} from '@oja/platform';
import {
  beginModel,
  changePointer,
  checkpointOf,
  ensureCollections,
  isAheadOfLog,
  pointerOf,
  putPointer,
  putStart,
  TRIES,
} from './pointer.js';
import type { Projection } from './projection.js';

const RETRY_PAUSE_MS = 5;

/** Returns the generation to build: that of a killed rebuild, unless the log was restored since then, else a new one. */
export async function beginRebuild(
  eventStore: EventStore,
  documents: Documents,
  projection: Projection,
): Promise<number> {
  const logId = await eventStore.logId();
  const pointer = await beginModel(documents, projection, logId);
  if (pointer.building !== null) {
    const checkpoint = await checkpointOf(documents, projection, pointer.building);
    const head = await eventStore.head();
    if (checkpoint !== null && !(await isAheadOfLog(eventStore, checkpoint, head))) {
      await ensureCollections(documents, projection, pointer.building, {
        loading: 'beside-others',
      });
      return pointer.building;
    }
  }
  const generation = pointer.last + 1;
  await ensureCollections(documents, projection, generation, { loading: 'beside-others' });
  const outcome = await documents.commit(
    [
      putPointer(projection, { ...pointer, building: generation, last: generation }),
      putStart(projection, generation, logId),
    ],
    [{ collection: POINTERS, id: modelKey(projection), expected: pointer }],
  );
  return outcome === 'committed' ? generation : beginRebuild(eventStore, documents, projection);
}

/**
 * Makes every projector feed the generation that was built, beside the live one, from now on. False when it was
 * cleaned away meanwhile: it has no checkpoint from which it could be fed.
 */
export async function startFeeding(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<boolean> {
  const pointer = await changePointer(documents, model, (before) =>
    before.building === generation
      ? { ...before, fed: [...before.fed, generation], building: null }
      : null,
  );
  return pointer?.fed.includes(generation) ?? false;
}

export type SwitchResult =
  | { readonly ok: true; readonly from: number; readonly to: number }
  /** The generation is not fed: never built, still being built, or cleaned away. */
  | { readonly ok: false; readonly reason: 'not-fed' }
  /** The generation is behind the live one: wait until it has caught up. */
  | { readonly ok: false; readonly reason: 'behind' };

/**
 * Makes a generation live with one compare-and-set. The live checkpoint is guarded as well, so that
 * no reader goes back in time. `regardless` also switches to a generation that is behind: only for
 * a restored log, which ends before the live checkpoint.
 */
export async function switchTo(
  documents: Documents,
  model: ReadModelName,
  generation: number,
  options: { readonly regardless?: boolean } = {},
): Promise<SwitchResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const pointer = await pointerOf(documents, model);
    if (pointer === null || !pointer.fed.includes(generation)) {
      return { ok: false, reason: 'not-fed' };
    }
    if (pointer.live === generation) return { ok: true, from: generation, to: generation };
    const live = await checkpointOf(documents, model, pointer.live);
    const next = await checkpointOf(documents, model, generation);
    const passed = live === null || live.position === null || hasPassed(next, live.position);
    if (passed || options.regardless === true) {
      const switched: Pointer = { ...pointer, live: generation, previous: pointer.live };
      const outcome = await documents.commit(
        [putPointer(model, switched)],
        [
          { collection: POINTERS, id: modelKey(model), expected: pointer },
          { collection: CHECKPOINTS, id: generationKey(model, pointer.live), expected: live },
        ],
      );
      if (outcome === 'committed') return { ok: true, from: pointer.live, to: generation };
    }
    await wait(RETRY_PAUSE_MS);
  }
  return { ok: false, reason: 'behind' };
}

/** Switches back to the generation that was live before the last switch. */
export async function rollback(documents: Documents, model: ReadModelName): Promise<SwitchResult> {
  const pointer = await pointerOf(documents, model);
  if (pointer === null || pointer.previous === null) return { ok: false, reason: 'not-fed' };
  return switchTo(documents, model, pointer.previous);
}
