import { Download } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../api/error.js';
import { Button } from './Button.js';
import { csvOf, download } from './csv.js';
import { Icon } from './Icon.js';
import { toast } from './toast.js';

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
