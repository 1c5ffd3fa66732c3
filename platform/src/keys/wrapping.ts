import { randomBytes } from 'node:crypto';
import { type KeptKey, KeyDiffers, type RewrapOptions, WrongMasterKey } from './port.js';
import { keyBytes, lock, unlock } from './sealing.js';

const probe = 'oja keys';
const placeOf = (subject: string) => `key:${subject}`;

/** Wraps personal keys under the master key, each bound to its subject. */
export interface Wrapping {
  /** Creates a new key, wrapped. */
  make(subject: string): Buffer;
  wrap(subject: string, key: Buffer): Buffer;
  /** Rewraps a key under the master key; null when it already is. @throws WrongMasterKey */
  renewed(subject: string, wrapped: Buffer): Buffer | null;
  /** @throws WrongMasterKey */
  unwrap(subject: string, wrapped: Buffer): Buffer;
  /** A value to store beside the keys, by which a wrong master key is detected at start. */
  probe(): Buffer;
  /** Whether a probe was made with the master key itself, not the fallback. */
  isOwn(stored: Buffer): boolean;
  /** @throws WrongMasterKey */
  verify(stored: Buffer): void;
}

/**
 * Wraps under the master key and also unwraps under the fallback, the previous or next master key.
 * @throws RangeError when one of them is not 32 bytes.
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

/** A probe by which `isProbeOf` recognises the same master key. It reveals nothing about the key. */
export const probeOf = (masterKey: Buffer): string =>
  createWrapping(masterKey).probe().toString('base64');

/** Whether a probe was made with this master key. */
export const isProbeOf = (masterKey: Buffer, probed: string): boolean =>
  unlock(masterKey, probe, Buffer.from(probed, 'base64')) !== null;

/** The stored key, rewrapped under the master key if necessary. @throws WrongMasterKey */
export function underMasterKey(wrapping: Wrapping, { subject, wrapped }: KeptKey): KeptKey {
  if (wrapped === null) return { subject, wrapped };
  const renewed = wrapping.renewed(subject, Buffer.from(wrapped, 'base64'));
  return { subject, wrapped: renewed === null ? wrapped : renewed.toString('base64') };
}

/**
 * Checks keys before any of them is imported. `find`: the key that a subject has here, or null.
 * @throws WrongMasterKey; KeyDiffers when a subject has another key here.
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

/** `from` and `to` are wrapped keys in base64. */
export interface RewrappedKey {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

interface Pages {
  /** Stored keys ordered by subject; empty after the last. */
  page(after: string | null): Promise<readonly KeptKey[]>;
  /** Replaces keys that have not changed since they were read. */
  replace(keys: readonly RewrappedKey[]): Promise<void>;
}

/** Rewraps all keys until a full pass finds none under the fallback, because other processes create keys meanwhile. */
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
