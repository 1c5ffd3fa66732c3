import { KeyDiffers } from './errors.js';
import type { KeptKey, RewrapOptions } from './port.js';
import type { Wrapping } from './wrapping.js';

/** The key that is to be kept, under the master key whatever it was wrapped under. @throws WrongMasterKey */
export function underMasterKey(wrapping: Wrapping, { subject, wrapped }: KeptKey): KeptKey {
  if (wrapped === null) return { subject, wrapped };
  const renewed = wrapping.renewed(subject, Buffer.from(wrapped, 'base64'));
  return { subject, wrapped: renewed === null ? wrapped : renewed.toString('base64') };
}

/**
 * Looks at keys before any of them is taken over. `find`: the key that a subject has here, if any.
 * @throws WrongMasterKey; KeyDiffers where a subject has another key here.
 */
export function checkKept(
  wrapping: Wrapping,
  kept: readonly KeptKey[],
  find: (subject: string) => Buffer | null,
): void {
  for (const { subject, wrapped } of kept) {
    if (wrapped === null) continue;
    const key = wrapping.unwrap(subject, Buffer.from(wrapped, 'base64'));
    if (find(subject)?.equals(key) === false) throw new KeyDiffers(subject);
  }
}

/** Both in base64. */
export interface RewrappedKey {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

interface Pages {
  /** As they are kept, by subject; none after the last. */
  page(after: string | null): Promise<readonly KeptKey[]>;
  /** Replaces what is still as it was read. */
  replace(keys: readonly RewrappedKey[]): Promise<void>;
}

/** Goes through all keys until none is left that the fallback alone opens: others make keys meanwhile. */
export async function rewrapPages(
  wrapping: Wrapping,
  { page, replace }: Pages,
  { signal, dryRun = false, onProgress = () => {} }: RewrapOptions,
): Promise<{ readonly keys: number; readonly rewrapped: number }> {
  let rewrapped = 0;
  for (;;) {
    let [keys, looked, found] = [0, 0, 0];
    let kept = await page(null);
    while (kept.length > 0) {
      signal?.throwIfAborted();
      const changed = kept.flatMap(({ subject, wrapped: from }) => {
        const renewed =
          from === null ? null : wrapping.renewed(subject, Buffer.from(from, 'base64'));
        return from === null || renewed === null
          ? []
          : [{ subject, from, to: renewed.toString('base64') }];
      });
      if (!dryRun && changed.length > 0) await replace(changed);
      keys += kept.filter(({ wrapped }) => wrapped !== null).length;
      looked += kept.length;
      found += changed.length;
      onProgress(looked);
      kept = await page(kept.at(-1)?.subject ?? null);
    }
    rewrapped += found;
    if (dryRun || found === 0) return { keys, rewrapped };
  }
}
