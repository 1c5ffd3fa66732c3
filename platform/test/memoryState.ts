import type { State, StateEntry } from '../src/state/port.js';

/** A `State` for tests of what stands on it; the engines have their own contract suite. */
export function memoryState(): State {
  const entries = new Map<string, StateEntry>();
  let versions = 0;
  const at = (space: string, key: string) => `${space}\0${key}`;
  const live = (entry: StateEntry | undefined, now: number) =>
    entry && (entry.expiresAt === null || entry.expiresAt > now) ? entry : null;
  return {
    get: async (space, key, now) => live(entries.get(at(space, key)), now) as never,
    put: async (space, key, value, now, options = {}) => {
      const found = live(entries.get(at(space, key)), now);
      if (options.if === 'absent' && found) return null;
      if (typeof options.if === 'number' && found?.version !== options.if) return null;
      versions += 1;
      const expiresAt = options.expiresAt ?? null;
      entries.set(at(space, key), { key, value, version: versions, expiresAt });
      return versions;
    },
    delete: async (space, key, version) => {
      const found = entries.get(at(space, key));
      if (!found || (version !== undefined && found.version !== version)) return false;
      return entries.delete(at(space, key));
    },
    list: async (space, prefix, now, { limit = 1_000, after = '' } = {}) =>
      [...entries.entries()]
        .filter(
          ([k, entry]) => k.startsWith(at(space, prefix)) && live(entry, now) && entry.key > after,
        )
        .map(([, entry]) => entry)
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit) as never,
    sweep: async () => 0,
    close: async () => {},
  };
}
