/**
 * How an engine in memory is reached. Each access is one await: whoever opened the engine may let it
 * happen now, later, in another order than it was asked for, or never. The work itself is one moment.
 */
export type Access = <T>(what: string, work: () => T) => Promise<T>;

/** Everything happens as it is asked for. */
export const atOnce: Access = async (_, work) => work();

/** Whoever waits for something to change. */
export interface News {
  listen(tell: () => void): () => void;
  tell(): void;
}

export function createNews(): News {
  const listeners = new Set<() => void>();
  return {
    listen(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    tell() {
      for (const tell of [...listeners]) tell();
    },
  };
}

/** Text by code point, which UTF-16 has in another order where surrogates are. */
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

/** @throws TypeError for what no engine keeps as a name, be the caller without types. */
export function checkText(what: string, text: string): void {
  if (typeof text !== 'string') throw new TypeError(`The ${what} is not text`);
}
