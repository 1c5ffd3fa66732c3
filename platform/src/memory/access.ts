/**
 * How callers reach an in-memory engine. Each access is one await: a simulation may run it now, later, in
 * another order, or never. The work itself is atomic.
 */
export type Access = <T>(what: string, work: () => T) => Promise<T>;

/** Runs each access at once, in order. */
export const atOnce: Access = async (_, work) => work();

/** A list of listeners that wait for a change. */
export interface News {
  listen(listener: () => void): () => void;
  notify(): void;
}

export function createNews(): News {
  const listeners = new Set<() => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify() {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Compares texts by code point; UTF-16 order differs where there are surrogates. */
export function byCodePoint(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a === b) continue;
    const [isHalf, isOtherHalf] = [isSurrogate(a), isSurrogate(b)];
    if (isHalf === isOtherHalf) return a - b;
    return isHalf ? 1 : -1;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

/** @throws TypeError when a name is not text, as from an untyped caller. */
export function checkText(what: string, text: string): void {
  if (typeof text !== 'string') throw new TypeError(`The ${what} is not text`);
}
