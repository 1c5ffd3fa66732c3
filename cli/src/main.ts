import { Command, CommanderError } from 'commander';
import { layCommands } from './command-line/index.js';
import { VERSION } from './runtime/program.js';
import { Exit, exitCodes } from './terminal/exit.js';
import { sayFailed, sayHelp } from './terminal/output.js';
import { examples, known, usageSentence } from './terminal/usage.js';

/** How long a command that has ended may take to close what it had open, in ms. */
const LEAVING_MS = 1_000;

/** Whether what failed is read by a program. */
const isForProgram = process.argv.includes('--json');

const program = new Command('oja')
  .description('Runs and looks after an Oja market.')
  .version(VERSION)
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (help) => sayHelp(help),
    writeErr: (help) => sayHelp(help, process.stderr),
    outputError: (told) => sayFailed(usageSentence(told), exitCodes.usage, isForProgram),
  })
  .addHelpText(
    'after',
    examples(
      'start',
      'status',
      'status --data-dir /srv/oja',
      "admin grant 'Adunni Textiles'",
      'help replay',
    ),
  )
  .exitOverride();

// Whoever reads us may have had enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.ok);
});

layCommands(program);

async function run(args: readonly string[]): Promise<void> {
  const [first] = args;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (first !== undefined && !first.startsWith('-')) known('command', first, names);
  await program.parseAsync(args, { from: 'user' });
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } else {
    // What knows every engine's failures is read where one of them may have failed.
    const { sentence, code } =
      error instanceof Exit
        ? { sentence: error.message, code: error.code }
        : (await import('./terminal/outcome.js')).outcomeOf(error);
    sayFailed(sentence, code, isForProgram);
    process.exitCode = code;
  }
}
// A connection that is still open would keep it alive for ever, and nobody would start it again.
setTimeout(() => process.exit(), LEAVING_MS).unref();
