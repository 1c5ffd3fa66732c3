import { randomBytes } from 'node:crypto';
import { keyBytes, lock, unlock } from './box.js';
import { WrongMasterKey } from './errors.js';

const probe = 'oja keys';

/** Wraps people's keys under the master key, each bound to its subject. */
export interface Wrapping {
  /** A new key, wrapped. */
  make(subject: string): Buffer;
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
    make: (subject) => lock(masterKey, `key:${subject}`, randomBytes(keyBytes)),
    unwrap: (subject, wrapped) => opened(`key:${subject}`, wrapped),
    probe: () => lock(masterKey, probe, Buffer.from(probe)),
    verify: (stored) => {
      opened(probe, stored);
    },
  };
}
