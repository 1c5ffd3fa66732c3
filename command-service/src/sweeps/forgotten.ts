import type { ObligationDocument } from '@oja/contracts/models';
import { forget } from '../checkout/deliver/forget.js';
import type { Deps } from '../deps.js';

const SPACE = 'forgotten';

/**
 * Forgets a person whose key is to be destroyed. This is owed for ever, since a backup may bring the key
 * back: what was done is remembered, but a key that is there again is destroyed again.
 */
export async function forgetWhenDue(
  deps: Deps,
  { keySubject }: ObligationDocument,
): Promise<boolean> {
  const { state, keys, clock } = deps;
  if (keySubject === null) return true;
  const now = clock.now();
  const isForgotten = (await state.get(SPACE, keySubject, now)) !== null;
  if (isForgotten && (await keys.isDestroyed(keySubject))) return true;
  await forget(deps, keySubject);
  await state.put(SPACE, keySubject, { at: now }, now);
  return true;
}
