import { type Command, InvalidArgumentError } from 'commander';
import type { FromOptions } from '../commands/events/index.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { readThen } from '../terminal/interrupt.js';
import { examples, noSuchCommand, whole } from '../terminal/usage.js';

const SHOW = [
  'events show product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a',
  'events show seller-7c1e… --at 2026-01-31         the store as it was, with its goods',
];

const from = readThen(async () => (await import('../commands/events/index.js')).from);

/** Parses a position as events are printed with it; leading zeros may be left out. */
function position(text: string): string {
  if (!/^\d{1,20}$/.test(text))
    throw new InvalidArgumentError(
      'It takes a position, the number that each event is printed with; 0 is before the first.',
    );
  return text;
}

export function eventsCommand(program: Command): void {
  const events = program
    .command('events')
    .description('look at the log; personal values stay sealed')
    .option(
      '--after <position>',
      'all that come after one, by the number it is printed with',
      position,
    )
    .option('--correlation <id>', 'all that followed from one request, by its correlation id')
    .option('-n, --lines <n>', 'so many of them at most', whole(1))
    .option('-f, --follow', 'go on with those that come, until Ctrl-C')
    .option('--json', 'for programs: one event a line')
    .addHelpText(
      'after',
      examples(
        ...['events tail --follow', ...SHOW, 'events stats', 'events --correlation 0192c1d0-…'],
        ...['events --after 1200 -n 100', 'events --after 1200 --follow --json'],
      ),
    )
    .allowExcessArguments()
    .action(async (options: FromOptions) => {
      const { after, correlation, lines, follow } = options;
      const [unknown] = events.args;
      if (unknown !== undefined) throw noSuchCommand('events', unknown, events.commands);
      if (after !== undefined || correlation !== undefined) return from(options);
      if (lines === undefined && follow === undefined) return events.help({ error: true });
      throw new Exit(
        exitCodes.usage,
        'Say where to begin: --after <position>, 0 for the first. The last ones: oja events tail.',
      );
    });
  events
    .command('tail')
    .description('the last events')
    .option('-n, --lines <n>', 'how many', whole(0), 20)
    .option('-f, --follow', 'go on with those that come, until Ctrl-C')
    .option('--json', 'for programs: one event a line')
    .addHelpText('after', examples('events tail -n 50', 'events tail --follow --json'))
    .action(readThen(async () => (await import('../commands/events/index.js')).tail));
  events
    .command('show')
    .description('the events of one stream, or what it tells at a moment')
    .argument('<stream>', 'a stream, or the id of a product, order, seller, …')
    .option('--at <time>', 'a day (midnight in Lagos) or a time, e.g. 2026-01-31T14:00:00Z')
    .option('--json', 'for programs: one event a line')
    .addHelpText('after', examples(...SHOW))
    .action(readThen(async () => (await import('../commands/events/index.js')).show));
  events
    .command('stats')
    .description('how many events there are, of which kinds')
    .option('--json', 'for programs')
    .addHelpText('after', examples('events stats', 'events stats --json'))
    .action(readThen(async () => (await import('../commands/events/index.js')).stats));
}

export function traceCommand(program: Command): void {
  program
    .command('trace')
    .description("one order's whole story, what it waits for and who can move it")
    .argument(
      '<order>',
      "its number, id, or a reference of its payment; or a store's name, or a buyer's e-mail address",
    )
    .option('-n, --lines <n>', 'of a store or a buyer so many orders are listed', whole(1), 20)
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nFrom the log, the provider's webhooks, letters, jobs that wait or failed, and what this data\nfolder's services logged of it. Times are UTC; a request's id is one for oja events --correlation.\nOf a store or a buyer with several orders the newest are listed to choose from; buyers who were erased\nare not found.\n${examples('trace 5B1C6F0E', 'trace 5b1c6f0e-…-2 --json', "trace 'Adunni Textiles' -n 50", 'trace buyer@example.com')}`,
    )
    .action(readThen(async () => (await import('../commands/trace/index.js')).trace));
}

export function exportCommand(program: Command): void {
  program
    .command('export')
    .description('write every event as NDJSON, checksummed')
    .argument('[file]', 'a new file, packed where it ends in .gz; without it to standard output')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nPersonal values stay sealed; passwords and keys are not in it: see oja move.\n${examples('export market.ndjson.gz', 'export | gzip > market.ndjson.gz')}`,
    )
    .action(readThen(async () => (await import('../commands/transfer/index.js')).exportTo));
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('add the events of an export; what is there already is left alone')
    .argument('<file>', 'what oja export wrote, packed or not; - is standard input')
    .option('--dry-run', 'say what would be added, and change nothing')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nEverything is compared before anything is added: the export of another market is refused.\nNobody is mailed or notified about what is imported. A new DATA_DIR is made where there is none.\n${examples('import market.ndjson.gz', 'import --dry-run - < market.ndjson')}`,
    )
    .action(readThen(async () => (await import('../commands/transfer/index.js')).importFrom));
}
