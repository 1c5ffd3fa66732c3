import { randomBytes } from 'node:crypto';
import { byCodePoint } from '../documents/scalars.js';
import { KEPT_KEYS_PAGE, KeyDestroyed, type Keys } from '../keys/port.js';
import { keyBytes } from '../keys/sealing.js';
import { checkKept, createWrapping, type Wrapping } from '../keys/wrapping.js';
import { type Access, checkText, runImmediately } from './access.js';

/** Shared by all engines opened on the same keys. */
export interface MemoryKeysData {
  readonly keys: Map<string, Buffer>;
  readonly destroyed: Set<string>;
  /** Wraps keys for export to other engines, and unwraps imported ones. */
  readonly wrapping: Wrapping;
}

/** `masterKey`: 32 bytes; random by default. */
export const createMemoryKeysData = (
  masterKey: Buffer = randomBytes(keyBytes),
): MemoryKeysData => ({
  keys: new Map(),
  destroyed: new Set(),
  wrapping: createWrapping(masterKey),
});

/** Keys in memory, for simulations and tests; nothing survives the process. */
export function createMemoryKeys(data: MemoryKeysData, access: Access = runImmediately): Keys {
  const { keys, destroyed, wrapping } = data;
  const asked = async <T>(what: string, subject: string, work: () => T): Promise<T> => {
    checkText('subject', subject);
    return access(what, work);
  };
  return {
    obtain: (subject) =>
      asked('obtain key', subject, () => {
        if (destroyed.has(subject)) throw new KeyDestroyed(subject);
        const key = keys.get(subject) ?? randomBytes(keyBytes);
        keys.set(subject, key);
        return key;
      }),
    find: (subject) => asked('find key', subject, () => keys.get(subject) ?? null),
    findMany: (subjects) =>
      access('find keys', () => subjects.map((subject) => keys.get(subject) ?? null)),
    destroy: (subject) =>
      asked('destroy key', subject, () => {
        destroyed.add(subject);
        return keys.delete(subject);
      }),
    isDestroyed: (subject) => asked('is key destroyed', subject, () => destroyed.has(subject)),
    // Keys are not stored wrapped.
    rewrap: () => access('rewrap keys', () => ({ keys: keys.size, rewrapped: 0, lingers: false })),
    kept: (after, limit = KEPT_KEYS_PAGE) =>
      access('list keys', () =>
        [...keys.keys(), ...destroyed]
          .filter((subject) => after === null || byCodePoint(subject, after) > 0)
          .sort(byCodePoint)
          .slice(0, limit)
          .map((subject) => {
            const key = keys.get(subject);
            return {
              subject,
              wrapped: key ? wrapping.wrap(subject, key).toString('base64') : null,
            };
          }),
      ),
    adopt: (kept) =>
      access('adopt keys', () => {
        checkKept(wrapping, kept, (subject) => keys.get(subject) ?? null);
        for (const { subject, wrapped } of kept) {
          if (wrapped === null) {
            destroyed.add(subject);
            keys.delete(subject);
          } else if (!destroyed.has(subject))
            keys.set(subject, wrapping.unwrap(subject, Buffer.from(wrapped, 'base64')));
        }
      }),
    close: async () => {},
  };
}
