import type { Command } from 'commander';
import { withGround } from '../../market/withGround.js';
import { examples } from '../../terminal/examples.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, plural, say, show } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { countEvents } from '../shared/countEvents.js';
import { exportLog } from './export.js';
import { importLog } from './import.js';
import { checkExport } from './read.js';

async function exportTo(file: string | undefined, options: Output): Promise<void> {
  const signal = interruptSignal();
  await withGround(async (ground) => {
    const total = await countEvents(ground.engines.eventStore, null, signal);
    const exported = await withProgress('Exporting', (at) =>
      exportLog(ground, file ?? null, signal, (n) => at(n, total)),
    );
    if (file === undefined) return;
    show(options, exported, () => [
      `${plural(exported.events, 'event')} in ${file}, SHA-256 ${exported.sha256}`,
    ]);
  });
}

async function importFrom(file: string, options: Output): Promise<void> {
  const signal = interruptSignal();
  const { header, trailer } = await checkExport(file, signal);
  await withGround(
    async (ground) => {
      const imported = await withProgress('Importing', (at) =>
        importLog(ground, file, signal, (n) => at(n, trailer.events)),
      );
      show(options, imported, () => [
        `${plural(imported.added, 'event')} added, ${imported.known} were there already.`,
      ]);
      if (header.logId !== ground.logId && imported.added > 0 && !options.json)
        say(
          'Personal values came sealed: they can be read where the keys are, which only a backup carries.',
        );
    },
    { fresh: true },
  );
}

export function exportCommand(program: Command): void {
  program
    .command('export')
    .description('write every event as NDJSON, checksummed')
    .argument('[file]', 'a new file; without it to standard output')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nPersonal values stay sealed, and the keys are not in it.\n${examples('export market.ndjson', 'export | gzip > market.ndjson.gz')}`,
    )
    .action(exportTo);
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('add the events of an export; what is there already is left alone')
    .argument('<file>', 'what oja export wrote')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nNobody is mailed or notified about what is imported. A new DATA_DIR is made where there is none.\n\nExample:\n  DATA_DIR=./copy oja import market.ndjson\n',
    )
    .action(importFrom);
}
