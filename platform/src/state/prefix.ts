const lastCodePoint = 0x10ffff;
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;

/**
 * The first text, in the order of code points, after every text that starts with the prefix; null
 * when there is none. So that a prefix is a range of an index.
 */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (letter) => letter.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === lastCodePoint) continue;
    const next = last === beforeSurrogates ? afterSurrogates : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}
