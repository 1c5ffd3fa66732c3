import { join } from 'node:path';
import { checkCompletely, type JsonColumns } from '../sqlite/damage.js';
import { files } from './open.js';

interface Content {
  readonly json: readonly JsonColumns[];
  /** Whether its content is rebuilt where it is lost, so that its many indexes need not be compared with their tables. */
  readonly isMadeAgain: boolean;
}

const contents: Readonly<Record<string, Content>> = {
  [files.log]: {
    json: [{ tables: 'events', columns: ['data', 'metadata'] }],
    isMadeAgain: false,
  },
  [files.state]: { json: [{ tables: 'entries', columns: ['value'] }], isMadeAgain: false },
  [files.keys]: { json: [], isMadeAgain: false },
  [files.documents]: { json: [{ tables: '*$documents', columns: ['json'] }], isMadeAgain: true },
  [files.jobs]: { json: [{ tables: 'jobs', columns: ['data'] }], isMadeAgain: true },
};

/** Whether a database is rebuilt by itself, from the log or by the sweeps, where it is lost. */
export const isMadeAgain = (name: string): boolean => contents[name]?.isMadeAgain === true;

/**
 * Checks all of one database in a folder for damage, while others may write to it. `isCopy`: it is a finished copy,
 * beside which nothing is made. @throws DamagedFile
 */
export function checkDatabase(
  folder: string,
  name: string,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): void {
  checkCompletely(join(folder, name), {
    json: contents[name]?.json ?? [],
    indexes: !isMadeAgain(name),
    isCopy,
  });
}
