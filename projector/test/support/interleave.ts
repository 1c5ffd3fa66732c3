import fc from 'fast-check';

/** Merges lists and keeps the order of each: `picks` choose the list that gives the next item. */
export function interleave<T>(lists: readonly (readonly T[])[], picks: readonly number[]): T[] {
  const rest = lists.map((list) => [...list]);
  const merged: T[] = [];
  for (let i = 0; ; i++) {
    const open = rest.filter((list) => list.length > 0);
    if (open.length === 0) return merged;
    const next = open[(picks[i % Math.max(1, picks.length)] ?? 0) % open.length]?.shift();
    if (next !== undefined) merged.push(next);
  }
}

export const picks = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 80 });
