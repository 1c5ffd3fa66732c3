import { randomBytes } from 'node:crypto';
import { type KeptKey, KeyDiffers, type RewrapOptions, WrongMasterKey } from './port.js';
import { keyBytes, lock, unlock } from './sealing.js';

const probe = 'oja keys';
const placeOf = (subject: string) => `key:${subject}`;

/** Wraps people's keys under the master key, each bound to its subject. */
export interface Wrapping {
  /** A new key, wrapped. */
  make(subject: string): Buffer;
  wrap(subject: string, key: Buffer): Buffer;
  /** Wrapped under the master key; null: it is already. @throws WrongMasterKey */
  renewed(subject: string, wrapped: Buffer): Buffer | null;
  /** @throws WrongMasterKey */
  unwrap(subject: string, wrapped: Buffer): Buffer;
  /** Something to keep beside the keys, by which a wrong master key is noticed at the start. */
  probe(): Buffer;
  /** Whether a probe was made under the master key itself. */
  isOwn(stored: Buffer): boolean;
  /** @throws WrongMasterKey */
  verify(stored: Buffer): void;
}

/**
 * Wraps under the master key; opens what was wrapped under the fallback as well, which is the one before
 * it or the one to come. @throws RangeError when one of them is not 32 bytes.
 */
export function createWrapping(masterKey: Buffer, fallback: Buffer | null = null): Wrapping {
  const masterKeys = fallback === null ? [masterKey] : [masterKey, fallback];
  for (const { length } of masterKeys)
    if (length !== keyBytes)
      throw new RangeError(`KEYS_MASTER_KEY has ${length} bytes; it needs ${keyBytes}`);
  const opened = (bound: string, locked: Buffer): Buffer => {
    for (const each of masterKeys) {
      const plain = unlock(each, bound, locked);
      if (plain) return plain;
    }
    throw new WrongMasterKey();
  };
  return {
    make: (subject) => lock(masterKey, placeOf(subject), randomBytes(keyBytes)),
    wrap: (subject, key) => lock(masterKey, placeOf(subject), key),
    renewed: (subject, wrapped) => {
      const bound = placeOf(subject);
      if (unlock(masterKey, bound, wrapped)) return null;
      return lock(masterKey, bound, opened(bound, wrapped));
    },
    unwrap: (subject, wrapped) => opened(placeOf(subject), wrapped),
    probe: () => lock(masterKey, probe, Buffer.from(probe)),
    isOwn: (stored) => unlock(masterKey, probe, stored) !== null,
    verify: (stored) => {
      opened(probe, stored);
    },
  };
}

/** Something by which it is told whether another master key is the same; it says nothing about this one. */
export const probeOf = (masterKey: Buffer): string =>
  createWrapping(masterKey).probe().toString('base64');

/** Whether a probe was made with this master key. */
export const fitsMasterKey = (masterKey: Buffer, probed: string): boolean =>
  unlock(masterKey, probe, Buffer.from(probed, 'base64')) !== null;

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
