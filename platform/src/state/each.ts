import { nextTurn } from '../clock.js';
import type { JsonObject } from '../eventstore/port.js';
import type { State, StateEntry } from './port.js';

/** Entries read at a time, which limits memory. */
const PAGE = 500;

/**
 * Every entry whose key starts with the prefix, by key; `State.list` alone returns a limited number. Entries may be
 * deleted meanwhile. Pages are read as of the same `now` (epoch milliseconds).
 */
export async function* eachEntry<V extends JsonObject = JsonObject>(
  state: Pick<State, 'list'>,
  space: string,
  prefix: string,
  now: number,
): AsyncGenerator<StateEntry<V>, void> {
  let after: string | undefined;
  do {
    const options = { limit: PAGE, ...(after !== undefined && { after }) };
    const page: readonly StateEntry<V>[] = await state.list<V>(space, prefix, now, options);
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1)?.key;
    // An engine in this process answers at once.
    if (after !== undefined) await nextTurn();
  } while (after !== undefined);
}
