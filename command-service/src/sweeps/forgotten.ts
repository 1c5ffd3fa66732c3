import { type ObligationDocument, obligations } from '@oja/contracts/models';
import type { Page, State } from '@oja/platform';
import { forget } from '../checkout/delivery.js';
import type { Deps } from '../deps.js';

/** Who was forgotten: the key, and what was kept of their letters. */
const DONE = 'forgotten';
/** Who could not be forgotten yet, so that nobody behind them is held up. */
const LATER = 'forgotten-later';
/** Up to where everybody has been forgotten. */
const WALKED = 'forgotten-walked';
const KEY = 'keys';
/** Obligations a page: so many are held in memory at once. */
const PAGE = 200;

type Walked = {
  /** Of the last obligation that was seen to. */
  readonly position: string;
  /** What the read model was made of then. */
  readonly of: string;
};

/** A person to forget; done again it does no harm. */
interface ToForget {
  readonly keySubject: string;
  work(): Promise<boolean>;
}

/**
 * Destroying a key is owed for ever, since a backup may bring it back. So the list of it only grows, and
 * is walked from where the last sweep came to. Whoever may have brought keys back (an import; and a restore,
 * which a start follows) says so, and the next sweep looks at everybody again.
 */
export async function lookAtAllKeysAgain(state: State): Promise<void> {
  await state.delete(WALKED, KEY);
}

/** Everybody whose key is to be destroyed and who was not seen to yet. @throws ReadModelMissing */
export async function* toForget(deps: Deps): AsyncGenerator<ToForget> {
  const { state, clock, readModels, documents } = deps;
  for (const { key } of await state.list(LATER, '', clock.now())) yield taskOf(deps, key);

  // Before anything is looked at: what comes in between is walked once too often, not never.
  const of = await readModels.standingOf(obligations);
  const stored = await state.get<Walked>(WALKED, KEY, clock.now());
  let version = stored?.version ?? null;
  const due = await readModels.liveCollection(obligations, 'due');
  const from = stored?.value.of === of ? stored.value.position : '';
  const query = {
    filter: [
      { field: 'kind', op: 'eq', value: 'destroy-key' },
      { field: 'position', op: 'gt', value: from },
    ],
    sort: [{ field: 'position', order: 'asc' }],
    limit: PAGE,
  } as const;
  let cursor: string | null = null;
  do {
    const page: Page<ObligationDocument> = await documents.find<ObligationDocument>(
      due,
      cursor === null ? query : { ...query, cursor },
    );
    for (const { document } of page.items)
      if (document.keySubject !== null) yield taskOf(deps, document.keySubject);
    cursor = page.next;
    const position = page.items.at(-1)?.document.position;
    if (position === undefined) return;
    // Those that failed are in their own list by now.
    const walked: Walked = { position, of };
    version = await state.put(WALKED, KEY, walked, clock.now(), { if: version ?? 'absent' });
    // Somebody asked for everybody meanwhile: from the beginning, then, by the next sweep.
    if (version === null) return;
  } while (cursor !== null);
}

function taskOf(deps: Deps, keySubject: string): ToForget {
  const { state, clock } = deps;
  return {
    keySubject,
    async work() {
      try {
        await forgetOnce(deps, keySubject);
      } catch (error) {
        await state.put(LATER, keySubject, {}, clock.now());
        throw error;
      }
      await state.delete(LATER, keySubject);
      return true;
    },
  };
}

/** What was done is remembered, but a key that is there again is destroyed again. */
async function forgetOnce(deps: Deps, keySubject: string): Promise<void> {
  const { state, keys, clock } = deps;
  const isForgotten = (await state.get(DONE, keySubject, clock.now())) !== null;
  if (isForgotten && (await keys.isDestroyed(keySubject))) return;
  await forget(deps, keySubject);
  await state.put(DONE, keySubject, { at: clock.now() }, clock.now());
}
