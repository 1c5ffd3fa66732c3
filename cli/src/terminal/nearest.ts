/** Letters to change, add or drop to make one text the other. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[b.length] ?? 0;
}

/** The candidate that is spelled most like the text; null where there is none at all. */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase();
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const far = distance(wanted, candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** `; the nearest is …`, or nothing. */
export function nearestOf(text: string, candidates: Iterable<string>): string {
  const found = nearest(text, candidates);
  return found === null ? '' : `; the nearest is ${found}`;
}
