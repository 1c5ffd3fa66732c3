import { type ObligationDocument, obligations } from '@oja/contracts/models';
import { eachEntry, eachPage, type State } from '@oja/platform';
import type { Deps } from './deps.js';

/**
 * Destroys a person's key, then deletes their stored letters. A letter that was composed before and is
 * stored after finds the key destroyed, and the mailer deletes it.
 * @throws KeyLingers when it must be repeated; the letters are deleted even then.
 */
export async function erasePerson(
  { keys, mail }: Pick<Deps, 'keys' | 'mail'>,
  subject: string,
): Promise<void> {
  try {
    await keys.destroy(subject);
  } finally {
    await mail.forget(subject);
  }
}

/** State space: subjects that were erased, with their key and letters. */
const ERASED_SPACE = 'forgotten';
/** State space: subjects whose erasure failed. Kept apart, so that they do not hold up those behind them. */
const RETRY_SPACE = 'forgotten-later';
/** State space: how far the list of obligations was processed. */
const SCAN_SPACE = 'forgotten-walked';
const KEY = 'keys';

type ScanProgress = {
  /** Log position of the last obligation that was processed. */
  readonly position: string;
  /**
   * The generation (and its repairs) of the read model then. When it differs, the list is processed
   * from the start.
   */
  readonly of: string;
};

/** A person to erase. Repeating it is harmless. */
interface ErasureTask {
  readonly keySubject: string;
  work(): Promise<boolean>;
}

/**
 * Makes the next sweep process all keys again. To destroy a key is owed for ever, because a backup
 * may bring it back. So the list only grows, and a sweep continues where the last one stopped.
 * After an import or a restore, which may have brought keys back, the sweep must begin again.
 */
export async function restartErasureScan(state: State): Promise<void> {
  await state.delete(SCAN_SPACE, KEY);
}

/**
 * Everyone whose key must be destroyed and who was not processed yet.
 * @throws ReadModelMissing before a projector has run.
 */
export async function* erasureTasks(deps: Deps): AsyncGenerator<ErasureTask> {
  const { state, clock, readModels, documents } = deps;
  for await (const { key } of eachEntry(state, RETRY_SPACE, '', clock.now()))
    yield taskOf(deps, key);

  // Read first: a generation that changes meanwhile causes a second pass, never a missed one.
  const of = await readModels.walkVersion(obligations);
  const stored = await state.get<ScanProgress>(SCAN_SPACE, KEY, clock.now());
  let version = stored?.version ?? null;
  const due = await readModels.liveCollection(obligations, 'due');
  const from = stored?.value.of === of ? stored.value.position : '';
  const pages = eachPage<ObligationDocument>(documents, due, {
    filter: [
      { field: 'kind', op: 'eq', value: 'destroy-key' },
      { field: 'position', op: 'gt', value: from },
    ],
    sort: [{ field: 'position', order: 'asc' }],
  });
  let position = from;
  for await (const page of pages) {
    for (const { document } of page) {
      if (document.keySubject !== null) yield taskOf(deps, document.keySubject);
      position = document.position;
    }
    // Failed tasks are in `RETRY_SPACE` by now.
    const progress: ScanProgress = { position, of };
    version = await state.put(SCAN_SPACE, KEY, progress, clock.now(), { if: version ?? 'absent' });
    // Another process asked for a full pass meanwhile. The next sweep starts from the beginning.
    if (version === null) return;
  }
}

function taskOf(deps: Deps, keySubject: string): ErasureTask {
  const { state, clock } = deps;
  return {
    keySubject,
    async work() {
      try {
        await eraseOnce(deps, keySubject);
      } catch (error) {
        await state.put(RETRY_SPACE, keySubject, {}, clock.now());
        throw error;
      }
      await state.delete(RETRY_SPACE, keySubject);
      return true;
    },
  };
}

/** Erases a person unless it was done before. A key that has come back is destroyed again. */
async function eraseOnce(deps: Deps, keySubject: string): Promise<void> {
  const { state, keys, clock } = deps;
  const isForgotten = (await state.get(ERASED_SPACE, keySubject, clock.now())) !== null;
  if (isForgotten && (await keys.isDestroyed(keySubject))) return;
  await erasePerson(deps, keySubject);
  await state.put(ERASED_SPACE, keySubject, { at: clock.now() }, clock.now());
}
