/** A repeatable sequence of random choices. */
export interface Random {
  /** From 0 up to but excluding 1. */
  readonly next: () => number;
  /** A whole number from 0 up to but excluding `count`. */
  readonly below: (count: number) => number;
  readonly between: (low: number, high: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
}

/** FNV-1a over the words of a path. */
function hash(path: readonly (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const letter of path.join('/')) {
    value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193);
  }
  return value >>> 0;
}

/**
 * Random choices for one item, named by a path such as (seed, 'product', 17). Every item has a
 * generator of its own, so items can be made alone and in any order. The generator is mulberry32.
 */
export function randomFor(...path: readonly (string | number)[]): Random {
  let state = hash(path);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] ?? from[0],
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/**
 * A step that visits all `count` places before it returns to the first. It lies near the golden
 * section, so that neighbours differ.
 */
function stepFor(count: number): number {
  for (let step = Math.max(1, Math.round(count * 0.618)); ; step += 1) {
    if (greatestCommonDivisor(step, count) === 1) return step;
  }
}

/** The place of the `turn`-th visit when `count` places are visited in a mixed order: all once, then all again. */
export function visit(turn: number, count: number, offset: number): number {
  return (turn * stepFor(count) + offset) % count;
}

/** The item at an index of a list that repeats. @throws RangeError when the list is empty. */
export function itemAt<T extends object>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
}
