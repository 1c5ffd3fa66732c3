import { Download } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { errorMessage } from '../api/failures.js';
import { Button } from './Button.js';
import { Icon } from './Icon.js';
import { toast } from './toast.js';

/** Spreadsheets run cells that begin like a formula, full-width characters too; an apostrophe makes them text. */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Characters that need quotes. Spreadsheets of some countries split cells at semicolons. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** Byte order mark: tells a spreadsheet that the file is UTF-8. */
const BOM = '\uFEFF';

function escapeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A Nigerian mobile number, with a leading 0 or the country code. */
const MOBILE = /^(?:\+?234|0)(\d{3})(\d{3})(\d{4})$/;

/** '0803 412 7765': the spaces make a spreadsheet keep it as text, with its leading 0. */
export const phoneText = (phone: string): string =>
  phone.replaceAll(/[\s()-]/g, '').replace(MOBILE, '0$1 $2 $3');

const GROUP_OF_FOUR = /.{4}(?=.)/g;

/** An order number as '1234 E567': without the space a spreadsheet would read some of them as numbers. */
export const orderText = (number: string): string => number.replace(GROUP_OF_FOUR, '$& ');

type Rows = readonly (readonly (string | number)[])[];

/** A CSV file for spreadsheets: UTF-8 with a byte order mark, CRLF, and no cell that is run as a formula. */
export function toCsv(head: readonly string[], rows: Rows): string {
  const lines = [head, ...rows].map((row) => row.map(escapeCell).join(','));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

/** Saves a table as a CSV file on the person's device. */
export function saveCsv(file: string, head: readonly string[], rows: Rows): void {
  const content = new Blob([toCsv(head, rows)], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  // The browser reads the file after the click; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface CsvButtonProps extends Pick<ComponentProps<typeof Button>, 'size'> {
  readonly file: string;
  readonly head: readonly string[];
  /** Reads all rows, which may be more than the page shows. */
  readonly read: () => Promise<Rows>;
}

/** Saves a list as a CSV file. */
export function CsvButton({ size = 'm', file, head, read }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveCsv(file, head, await read());
    } catch (error) {
      toast.error(errorMessage(error));
    }
    setBusy(false);
  };
  return (
    <Button look="line" size={size} busy={busy} onClick={() => void save()}>
      <Icon of={Download} size="s" />
      CSV
    </Button>
  );
}
