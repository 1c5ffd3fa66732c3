/** Passes each sentence on once, and the same again only after so many milliseconds. */
export function sparing(
  tell: (sentence: string) => void,
  everyMs: number,
  now: () => number = () => performance.now(),
): (sentence: string) => void {
  const told = new Map<string, number>();
  return (sentence) => {
    const at = now();
    for (const [each, since] of told) if (at - since >= everyMs) told.delete(each);
    if (told.has(sentence)) return;
    told.set(sentence, at);
    tell(sentence);
  };
}
