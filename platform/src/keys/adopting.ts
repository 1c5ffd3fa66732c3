import { KeyDiffers } from './errors.js';
import type { KeptKey } from './port.js';
import type { Wrapping } from './wrapping.js';

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
