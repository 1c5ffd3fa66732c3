import { Download } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../api/error.js';
import { Button } from './Button.js';
import { Icon } from './Icon.js';
import { toast } from './toast.js';

/** Spreadsheets run what begins like a formula, in whatever width it is written: an apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Spreadsheets of some countries part cells at semicolons: what is quoted stays one. */
const PARTS = /[",;\t\r\n]/;
/** By this a spreadsheet knows that the file is UTF-8. */
const BOM = '\uFEFF';

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return PARTS.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A Nigerian mobile number, with its 0 or with the country's code. */
const MOBILE = /^(?:\+?234|0)(\d{3})(\d{3})(\d{4})$/;

/** '0803 412 7765': with its spaces a spreadsheet leaves it a text and its first digit in place. */
export const phoneText = (phone: string): string =>
  phone.replaceAll(/[\s()-]/g, '').replace(MOBILE, '0$1 $2 $3');

const FOUR = /.{4}(?=.)/g;

/** An order's number as '1234 E567': without its space a spreadsheet would read some of them as figures. */
export const orderText = (number: string): string => number.replace(FOUR, '$& ');

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

interface CsvButtonProps {
  readonly file: string;
  readonly head: readonly string[];
  /** All rows, which may be more than the page shows. */
  readonly read: () => Promise<readonly (readonly (string | number)[])[]>;
}

/** Saves a list as a file for a spreadsheet. */
export function CsvButton({ file, head, read }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(file, csvOf(head, await read()), 'text/csv;charset=utf-8');
    } catch (error) {
      toast.error(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <Button look="line" busy={busy} onClick={() => void save()}>
      <Icon of={Download} size="s" />
      CSV
    </Button>
  );
}
