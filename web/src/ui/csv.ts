/** Spreadsheets run what begins like a formula: an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r]/;
/** By this a spreadsheet knows that the file is UTF-8. */
const BOM = '\uFEFF';

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file as spreadsheets like it: UTF-8 with a mark, CRLF, and no cell that is run. */
export function csvOf(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [head, ...rows].map((row) => row.map(cell).join(','));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

/** Hands a file to the person. */
export function download(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the press; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
