import { randomBytes } from 'node:crypto';
import { keyBytes } from '../keys/box.js';
import { KeyDestroyed } from '../keys/errors.js';
import type { Keys } from '../keys/port.js';
import { type Access, atOnce, checkText } from './access.js';

/** What several openings of the same keys share. */
export interface MemoryKeysData {
  readonly keys: Map<string, Buffer>;
  readonly destroyed: Set<string>;
}

export const createMemoryKeysData = (): MemoryKeysData => ({
  keys: new Map(),
  destroyed: new Set(),
});

/** Keys in memory: for simulations and tests, where nothing outlives the process. */
export function createMemoryKeys(data: MemoryKeysData, access: Access = atOnce): Keys {
  const { keys, destroyed } = data;
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
    close: async () => {},
  };
}
