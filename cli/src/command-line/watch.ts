import type { Command } from 'commander';
import type { LogsOptions } from '../commands/logs/index.js';
import { lineLevels } from '../runtime/program.js';
import { readThen } from '../terminal/interrupt.js';
import { examples, known, whole } from '../terminal/usage.js';

export function statusCommand(program: Command): void {
  program
    .command('status')
    .description('engines, read models, queues, what is owed, and the last error')
    .option('--check', 'exit 1 where something needs a person')
    .option('--watch', 'again and again, in place on a terminal; q or Ctrl-C leaves')
    .option('--interval <seconds>', 'from one look of --watch to the next', whole(1), 2)
    .option('--json', 'for programs; with --watch one object a line')
    .addHelpText(
      'after',
      examples(
        'status',
        'status --watch --interval 10',
        'status --check --json    for a monitor: exit 1 and `problems` where something is wrong',
      ),
    )
    .action(readThen(async () => (await import('../commands/status/index.js')).status));
}

const top = readThen(async () => (await import('../commands/top/index.js')).top);

export function topCommand(program: Command): void {
  program
    .command('top')
    .description('how the market does, live: rates, lag, queues, slow calls, what needs a person')
    .option('--interval <seconds>', 'from one look to the next', whole(1), 2)
    .option('--once', 'one frame, as where no terminal is; its rates are over one interval')
    .option('--json', 'for programs: one frame')
    .addHelpText(
      'after',
      `\nq or Ctrl-C leaves. Requests, memory and calls are asked for at /metrics of each process.\n${examples('top', 'top --interval 10', 'top --once --json')}`,
    )
    .action(top);
}

/** Parses a number of lines; 'all' is Infinity. */
const lineCount = (text: string): number =>
  text === 'all' ? Number.POSITIVE_INFINITY : whole(0, "a whole number from 0 on, or 'all'")(text);

const logs = readThen(async () => (await import('../commands/logs/index.js')).logs);

export function logsCommand(program: Command): void {
  program
    .command('logs')
    .description("the market's own log: what its processes did, refused and could not do")
    .option(
      '-n, --lines <n>',
      "the last so many, or 'all' (default: 50; all that is looked for)",
      lineCount,
    )
    .option('-f, --follow', 'go on with those that come, until Ctrl-C')
    .option('--since <time>', 'from a day (midnight in Lagos) or a time, e.g. 2026-01-31T14:00:00Z')
    .option('--level <level>', `only from this one up: ${lineLevels.join(', ')}`)
    .option('--order <order>', 'of one order: its number, id, or a reference of its payment')
    .option('--actor <who>', "of one who was signed in: a store's name or id, or operator:<name>")
    .option('--request <id>', 'of one request, by its correlation id')
    .option('--json', 'for programs: the lines as they were written, with stacks')
    .addHelpText(
      'after',
      `\nFrom DATA_DIR/logs, with what was put aside there. Times are this machine's.\n${examples('logs --follow', 'logs --level warn -n 20', 'logs --order 5B1C6F0E', "logs --actor 'Adunni Textiles'", 'logs --since 2026-01-31 --json')}`,
    )
    .action(({ level, ...options }: Omit<LogsOptions, 'level'> & { readonly level?: string }) =>
      logs(
        level === undefined ? options : { ...options, level: known('level', level, lineLevels) },
      ),
    );
}
