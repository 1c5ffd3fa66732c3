import { type Command, InvalidArgumentError } from 'commander';
import type { FromOptions, TailOptions } from '../commands/events/index.js';
import { usageExit } from '../terminal/exit.js';
import { lazyAction } from '../terminal/interrupt.js';
import { examples, lineCount, noSuchCommand, wholeNumber } from '../terminal/usage.js';

const SHOW = [
  'events show product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a',
  'events show seller-7c1e… --at 2026-01-31   a store and its products then',
];

const from = lazyAction(async () => (await import('../commands/events/index.js')).from);
const tail = lazyAction(async () => (await import('../commands/events/index.js')).tail);

/** Parses a position as events are printed with it; leading zeros may be left out. */
function position(text: string): string {
  if (!/^\d{1,20}$/.test(text))
    throw new InvalidArgumentError(
      'It must be a position, the number printed before each event; 0 is before the first.',
    );
  return text;
}

export function eventsCommand(program: Command): void {
  const events = program
    .command('events')
    .description('show events of the log; personal values stay sealed')
    .option(
      '--after <position>',
      'events after this position, the number printed before each event',
      position,
    )
    .option('--correlation <id>', 'events that one request caused, by its correlation id')
    .option('-n, --lines <n>', "print at most <n> events, or 'all'", lineCount(1))
    .option('-f, --follow', 'keep printing new events until Ctrl-C')
    .option('--json', 'print JSON, one event per line')
    .addHelpText(
      'after',
      examples(
        ...['events tail --follow', ...SHOW, 'events stats', 'events --correlation 0192c1d0-…'],
        ...['events --after 1200 -n 100', 'events --after 1200 --follow --json'],
      ),
    )
    .action(async (options: FromOptions) => {
      const { after, correlation, lines, follow, json } = options;
      const [unknown] = events.args;
      if (unknown !== undefined) throw noSuchCommand('events', unknown, events.commands);
      if (after !== undefined || correlation !== undefined) return from(options);
      if (lines === undefined && follow === undefined && !json) return events.help({ error: true });
      throw usageExit(
        'Say where to start: --after <position>, 0 for the first event. For the last events: oja events tail.',
      );
    });
  events
    .command('tail')
    .description('show the last events')
    .option('-n, --lines <n>', "number of events, or 'all'", lineCount(0), 20)
    .option('-f, --follow', 'keep printing new events until Ctrl-C')
    .option('--json', 'print JSON, one event per line')
    .addHelpText('after', examples('events tail -n 50', 'events tail --follow --json'))
    .action((options: TailOptions) =>
      options.lines === Number.POSITIVE_INFINITY ? from({ ...options, after: '0' }) : tail(options),
    );
  events
    .command('show')
    .description('show the events of one stream, or its state at a time')
    .argument('<stream>', 'name of a stream, or id of a product, order, seller, …')
    .option(
      '--at <time>',
      'show the state at a day (midnight in Lagos) or time, e.g. 2026-01-31T14:00:00Z',
    )
    .option('--json', 'print JSON, one event per line')
    .addHelpText('after', examples(...SHOW))
    .action(lazyAction(async () => (await import('../commands/events/index.js')).show));
  events
    .command('stats')
    .description('count the events by type and kind of stream')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('events stats', 'events stats --json'))
    .action(lazyAction(async () => (await import('../commands/events/index.js')).stats));
  // For its own message about an unknown command. Said last, because commands made after it would inherit it.
  events.allowExcessArguments();
}

export function traceCommand(program: Command): void {
  program
    .command('trace')
    .description('show the history of an order, what it waits for, and who can move it')
    .argument(
      '<order>',
      "number, id or payment reference of an order, or a store's name, or a buyer's e-mail address",
    )
    .option('-n, --lines <n>', 'list at most <n> orders of a store or a buyer', wholeNumber(1), 20)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nThe history comes from the log, the provider's webhooks, e-mails, waiting and\nfailed jobs, and the log files in this data folder. Times are in UTC. Request\nids can be given to oja events --correlation. If a store or a buyer has several\norders, the newest are listed to choose from. Buyers who were erased are not\nfound.\n${examples('trace 5B1C6F0E', 'trace 5b1c6f0e-…-2 --json', "trace 'Adunni Textiles' -n 50", 'trace buyer@example.com')}`,
    )
    .action(lazyAction(async () => (await import('../commands/trace/index.js')).trace));
}

export function exportCommand(program: Command): void {
  program
    .command('export')
    .description('write every event as NDJSON, with a checksum')
    .argument('[file]', 'file to create, compressed if it ends in .gz (default: standard output)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nPersonal values stay sealed. Passwords and keys are not exported; see oja move.\n${examples('export market.ndjson.gz', 'export | gzip > market.ndjson.gz')}`,
    )
    .action(lazyAction(async () => (await import('../commands/transfer/index.js')).exportTo));
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('add the events of an export; existing events are left as they are')
    .argument('<file>', 'file written by oja export, compressed or not; - is standard input')
    .option('--dry-run', 'show what would be added, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nAll events are compared before any is added: the export of another market is\nrefused. Nobody is mailed or notified about imported events. If there is no\ndata folder, it is created.\n${examples('import market.ndjson.gz', 'import --dry-run - < market.ndjson')}`,
    )
    .action(lazyAction(async () => (await import('../commands/transfer/index.js')).importFrom));
}
