import { byCodePoint } from '../documents/scalars.js';
import { type JsonObject, jsonText } from '../eventstore/port.js';
import { partitionPoint } from '../partition-point.js';
import type { State, StateEntry } from '../state/port.js';
import { type Access, checkText, runImmediately } from './access.js';

interface Space {
  readonly entries: Map<string, StateEntry>;
  /** Sorted, so that a prefix is a range. */
  readonly keys: string[];
}

/** The expiry of an entry at one version. The entry may have been replaced or deleted since. */
interface Ending {
  readonly space: string;
  readonly key: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Shared by all engines opened on the same state. */
export interface MemoryStateData {
  readonly spaces: Map<string, Space>;
  /** Soonest first, so that a sweep skips entries that stay. */
  readonly endings: Ending[];
  versions: number;
}

export const createMemoryStateData = (): MemoryStateData => ({
  spaces: new Map(),
  endings: [],
  versions: 0,
});

const DEFAULT_LIMIT = 1_000;

/** State in memory, for simulations and tests; nothing survives the process. */
export function createMemoryState(data: MemoryStateData, access: Access = runImmediately): State {
  const live = (space: string, key: string, now: number): StateEntry | null => {
    const entry = data.spaces.get(space)?.entries.get(key);
    return entry && !isOver(entry, now) ? entry : null;
  };

  function put(space: string, entry: StateEntry): void {
    const own = data.spaces.get(space) ?? { entries: new Map(), keys: [] };
    data.spaces.set(space, own);
    const { key, version, expiresAt } = entry;
    if (!own.entries.has(key)) own.keys.splice(placeOf(own.keys, key), 0, key);
    own.entries.set(key, entry);
    if (expiresAt === null) return;
    const ending: Ending = { space, key, version, expiresAt };
    data.endings.splice(endedBy(data.endings, expiresAt), 0, ending);
  }

  function remove(space: string, key: string): void {
    const own = data.spaces.get(space);
    if (own?.entries.delete(key)) own.keys.splice(placeOf(own.keys, key), 1);
  }

  return {
    async get<V extends JsonObject>(space: string, key: string, now: number) {
      checkText('key', key);
      return access('get state', () => live(space, key, now) as StateEntry<V> | null);
    },
    async put(space, key, value, now, { if: only, expiresAt = null } = {}) {
      checkText('key', key);
      const text = jsonText(value, 'value');
      return access(`put state in ${space}`, () => {
        const before = live(space, key, now);
        if (only === 'absent' && before !== null) return null;
        if (typeof only === 'number' && before?.version !== only) return null;
        data.versions += 1;
        const version = data.versions;
        put(space, { key, value: JSON.parse(text) as JsonObject, version, expiresAt });
        return version;
      });
    },
    async delete(space, key, version) {
      checkText('key', key);
      return access('delete state', () => {
        const entry = data.spaces.get(space)?.entries.get(key);
        if (!entry || (version !== undefined && entry.version !== version)) return false;
        remove(space, key);
        return true;
      });
    },
    async list<V extends JsonObject>(
      space: string,
      prefix: string,
      now: number,
      options: { readonly limit?: number; readonly after?: string } = {},
    ) {
      return access('list state', () => {
        const { limit = DEFAULT_LIMIT, after } = options;
        const own = data.spaces.get(space);
        const found: StateEntry<V>[] = [];
        if (!own) return found;
        const from = after !== undefined && byCodePoint(after, prefix) > 0 ? after : prefix;
        for (let at = placeOf(own.keys, from); at < own.keys.length; at += 1) {
          const key = own.keys[at] ?? '';
          if (!key.startsWith(prefix) || found.length >= limit) break;
          const entry = key === after ? null : live(space, key, now);
          if (entry !== null) found.push(entry as StateEntry<V>);
        }
        return found;
      });
    },
    spaces: () =>
      access('list spaces', () =>
        [...data.spaces].flatMap(([space, { keys }]) => (keys.length > 0 ? [space] : [])).sort(),
      ),
    sweep: (now) =>
      access('sweep state', () => {
        let swept = 0;
        for (const { space, key, version } of data.endings.splice(0, endedBy(data.endings, now)))
          if (data.spaces.get(space)?.entries.get(key)?.version === version) {
            remove(space, key);
            swept += 1;
          }
        return swept;
      }),
    close: async () => {},
  };
}

const isOver = ({ expiresAt }: StateEntry, now: number) => expiresAt !== null && expiresAt <= now;

/** How many endings are at or before `now`. */
const endedBy = (endings: readonly Ending[], now: number): number =>
  partitionPoint(endings, ({ expiresAt }) => expiresAt <= now);

/** The index of a key, or where it would be inserted. */
const placeOf = (keys: readonly string[], key: string): number =>
  partitionPoint(keys, (each) => byCodePoint(each, key) < 0);
