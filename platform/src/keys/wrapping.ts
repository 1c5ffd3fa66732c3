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
  /** @throws WrongMasterKey */
  unwrap(subject: string, wrapped: Buffer): Buffer;
  /** Something to keep beside the keys, by which a wrong master key is noticed at the start. */
  probe(): Buffer;
  /** @throws WrongMasterKey */
  verify(stored: Buffer): void;
}

/** @throws RangeError when the master key is not 32 bytes. */
export function createWrapping(masterKey: Buffer): Wrapping {
  if (masterKey.length !== keyBytes) {
    throw new RangeError(`KEYS_MASTER_KEY has ${masterKey.length} bytes; it needs ${keyBytes}`);
  }
  const opened = (bound: string, locked: Buffer): Buffer => {
    const plain = unlock(masterKey, bound, locked);
    if (!plain) throw new WrongMasterKey();
    return plain;
  };
  return {
    make: (subject) => lock(masterKey, placeOf(subject), randomBytes(keyBytes)),
    wrap: (subject, key) => lock(masterKey, placeOf(subject), key),
    unwrap: (subject, wrapped) => opened(placeOf(subject), wrapped),
    probe: () => lock(masterKey, probe, Buffer.from(probe)),
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
