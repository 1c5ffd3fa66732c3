import { randomBytes } from 'node:crypto';
import { keyBytes, lock, unlock } from './box.js';
import { WrongMasterKey } from './errors.js';

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
