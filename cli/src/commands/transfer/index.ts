import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { files, type Plan } from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { bindLog } from '../../runtime/log-identity.js';
import { planOrExit } from '../../runtime/open-data.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, plural, printAnswer, printLine } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { countEvents } from '../shared/event-progress.js';
import { eventsIn, exportFormat, exportLog } from './export.js';
import { compareWithLog, importLog } from './import.js';
import {
  adoptLog,
  importModeWithLog,
  importModeWithoutLog,
  letterSuppressor,
} from './import-mode.js';
import { openSource, STANDARD } from './source.js';
import { checkWholeFile } from './whole-file.js';

export async function exportTo(named: string | undefined, options: Output): Promise<void> {
  const signal = interruptSignal();
  const file = named ?? STANDARD;
  await withContext(
    async (context) => {
      const total = await countEvents(context.engines.eventStore, null, signal);
      const exported = await withProgress('Exporting', (at) =>
        exportLog(context, file, signal, (n) => at(n, total)),
      );
      if (file === STANDARD) return;
      printAnswer<'export'>(options, exported, () => [
        `${plural(exported.events, 'event')} in ${file}, SHA-256 ${exported.sha256}`,
      ]);
    },
    { mayBeMoved: true },
  );
}

/** Whether there is no market yet, so that an import would create it. */
const isNewFolder = ({ variables, dataDir }: Plan): boolean =>
  variables.EVENTSTORE_URL === undefined && !existsSync(join(dataDir, files.log));

interface DryRunOption {
  readonly dryRun?: boolean;
}

export async function importFrom(named: string, options: Output & DryRunOption): Promise<void> {
  const signal = interruptSignal();
  const source = await openSource(named, signal);
  const events = () => eventsIn(source);
  try {
    let seen = 0;
    const { header, trailer } = await checkWholeFile(source, exportFormat, signal, {
      add: () => (seen += 1),
      fits: ({ events }) => events === seen,
    });
    const would = ({ added, known }: { readonly added: number; readonly known: number }) =>
      printAnswer<'import'>(options, { dryRun: true, added, known }, () => [
        `${plural(added, 'event')} would be added, ${known} are there already. Nothing was changed.`,
      ]);
    const plan = planOrExit(process.env, true);
    const mode = isNewFolder(plan) ? await importModeWithoutLog(plan, header.logId) : null;
    if (options.dryRun && mode !== null) return would({ added: trailer.events, known: 0 });
    await withContext(
      async (context) => {
        const found = await importModeWithLog(context, header.logId, () =>
          compareWithLog(context.engines.eventStore, events(), signal),
        );
        if (options.dryRun) return would(found.compared);
        const isPutBack = found.mode === 'put-back';
        // From here on, a log without keys is what this market is.
        await bindLog(context);
        const importing = {
          events,
          suppressesLetter: isPutBack ? await letterSuppressor(context, header.logId) : () => true,
          isClosed: isPutBack,
        };
        const imported = await withProgress('Importing', (at) =>
          importLog(context, importing, signal, (n) => at(n, trailer.events)),
        );
        if (isPutBack) await adoptLog(context);
        printAnswer<'import'>(options, imported, () => [
          `${plural(imported.added, 'event')} added, ${imported.known} were there already.`,
        ]);
        if (isPutBack && !options.json)
          printLine(
            'The accounts and keys beside it belong to this log from now on; start the market.',
          );
        else if (header.logId !== context.logId && imported.added > 0 && !options.json)
          printLine(
            'Passwords, sessions and the keys of personal values are not in an export: nobody can log in, and no order can be confirmed. To move a whole market, use oja move.',
          );
      },
      { mayBeNew: true, mayBeOtherLog: true, recreatesLog: mode === 'put-back' },
    );
  } finally {
    source.dispose();
  }
}
