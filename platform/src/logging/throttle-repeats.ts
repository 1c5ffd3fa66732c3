/** Time before the same message is passed on again, in milliseconds: an outage should not be a line every second. */
const EVERY_MS = 30_000;

function wordsOf(trouble: unknown): string {
  return trouble instanceof Error ? trouble.message : String(trouble);
}

/** Passes on each distinct message at most once per `everyMs` (milliseconds). */
export function throttleRepeats<T>(
  pass: (trouble: T) => void,
  everyMs = EVERY_MS,
  now: () => number = () => performance.now(),
): (trouble: T) => void {
  const passedOn = new Map<string, number>();
  return (trouble) => {
    const at = now();
    for (const [words, since] of passedOn) if (at - since >= everyMs) passedOn.delete(words);
    if (passedOn.has(wordsOf(trouble))) return;
    passedOn.set(wordsOf(trouble), at);
    pass(trouble);
  };
}
