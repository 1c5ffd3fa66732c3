/** Pseudo-random values; the same seed gives the same sequence. */
export interface Random {
  /** From 0 on, below 1. */
  next(): number;
  /** A whole number between the two, both included. */
  between(from: number, to: number): number;
  chance(part: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** One of the names, each with a probability in proportion to its weight. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N;
}

/** Mulberry32: small, even enough, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (part) => next() < part,
    pick<T>(from: readonly T[]): T {
      const one = from[between(0, from.length - 1)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
    weighted<N extends string>(weights: Readonly<Record<N, number>>): N {
      const names = Object.keys(weights) as N[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      throw new Error('no weights');
    },
  };
}
