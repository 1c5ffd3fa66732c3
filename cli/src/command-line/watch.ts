import type { Command } from 'commander';
import type { LogsOptions } from '../commands/logs/index.js';
import { lineLevels } from '../runtime/program.js';
import { lazyAction } from '../terminal/interrupt.js';
import { examples, lineCount, requireKnown, wholeNumber } from '../terminal/usage.js';

/** A day: Node's timers take no more than 24 days, and fire at once for a longer time. */
const MOST_SECONDS = 86_400;
const interval = wholeNumber(
  1,
  `a whole number of seconds from 1 to ${MOST_SECONDS}`,
  MOST_SECONDS,
);

export function statusCommand(program: Command): void {
  program
    .command('status')
    .description('show engines, read models, queues, what is owed, and the last error')
    .option('--check', 'exit with code 1 if something is wrong, or if nothing serves the market')
    .option('--watch', 'refresh in place, until q or Ctrl-C; without a terminal, print repeatedly')
    .option('--interval <seconds>', 'time between two refreshes of --watch (default: 2)', interval)
    .option('--json', 'print JSON; with --watch, one object per line')
    .addHelpText(
      'after',
      examples(
        'status',
        'status --watch --interval 10',
        'status --check --json    for a monitor: exit code 1, and `problems` in words',
      ),
    )
    .action(lazyAction(async () => (await import('../commands/status/index.js')).status));
}

export function topCommand(program: Command): void {
  program
    .command('top')
    .description('show live figures: rates, lag, queues, slow calls, what needs attention')
    .option('--interval <seconds>', 'time between two refreshes', interval, 2)
    .option('--once', 'print one frame, as without a terminal; its rates cover one interval')
    .option('--json', 'print one frame as JSON')
    .addHelpText(
      'after',
      `\nq or Ctrl-C quits. Requests, memory and calls come from /metrics of each\nprocess.\n${examples('top', 'top --interval 10', 'top --once --json')}`,
    )
    .action(lazyAction(async () => (await import('../commands/top/index.js')).top));
}

const logs = lazyAction(async () => (await import('../commands/logs/index.js')).logs);

export function logsCommand(program: Command): void {
  program
    .command('logs')
    .description("show the market's log: what its processes did, refused or failed to do")
    .option(
      '-n, --lines <n>',
      "number of last lines, or 'all' (default: 50; all with --since, --order, --actor or --request)",
      lineCount(0),
    )
    .option('-f, --follow', 'keep printing new lines until Ctrl-C')
    .option(
      '--since <time>',
      'lines since a day (midnight in Lagos) or a time, e.g. 2026-01-31T14:00:00Z',
    )
    .option('--level <level>', `lines of this level or worse: ${lineLevels.join(', ')}`)
    .option('--order <order>', 'lines about one order: its number, id or a payment reference')
    .option(
      '--actor <who>',
      "lines of one signed-in person: a store's name or id, or operator:<name>",
    )
    .option('--request <id>', 'lines of one request, by its correlation id')
    .option('--json', 'print the lines as they were written, with stack traces')
    .addHelpText(
      'after',
      `\nReads DATA_DIR/logs, including rotated files. Times are in the time zone of this\nmachine.\n${examples('logs --follow', 'logs --level warn -n 20', 'logs --order 5B1C6F0E', "logs --actor 'Adunni Textiles'", 'logs --since 2026-01-31 --json')}`,
    )
    .action(({ level, ...options }: Omit<LogsOptions, 'level'> & { readonly level?: string }) =>
      logs(
        level === undefined
          ? options
          : { ...options, level: requireKnown('level', level, lineLevels) },
      ),
    );
}
