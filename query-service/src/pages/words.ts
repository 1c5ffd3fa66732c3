/** As much of a description as is shown with a link, in characters. */
const SHOWN = 200;

/** On one line, cut between words. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= SHOWN) return line;
  const cut = characters.slice(0, SHOWN).join('');
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SHOWN / 2))}…`;
}
