import type { Random } from './random.js';

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/**
 * A step that visits every one of `count` places before it comes back, near the golden section so
 * neighbours differ.
 */
function stepFor(count: number): number {
  for (let step = Math.max(1, Math.round(count * 0.618)); ; step += 1) {
    if (greatestCommonDivisor(step, count) === 1) return step;
  }
}

/**
 * Where the `turn`-th visit falls when `count` places are walked in a mixed order: all once, then
 * all again.
 */
export function visit(turn: number, count: number, offset: number): number {
  return (turn * stepFor(count) + offset) % count;
}

/**
 * The item at an index of a list that starts again when it ends. @throws RangeError when the list
 * is empty.
 */
export function cycled<T extends object>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
}

/** A mixed copy of a list. */
export function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const mixed = list.map((item) => ({ item, at: random.next() }));
  return mixed.sort((a, b) => a.at - b.at).map(({ item }) => item);
}
