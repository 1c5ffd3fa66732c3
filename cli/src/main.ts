import { Command, CommanderError } from 'commander';
import { commandNames, layCommands } from './commands/index.js';
import { VERSION } from './runtime/version.js';
import { Exit, exitCodes } from './terminal/exit.js';
import { INTERRUPTED } from './terminal/interrupt.js';
import { sayFailed } from './terminal/output.js';
import { examples, nearestOf, usageSentence } from './terminal/usage.js';

/** How long a command that failed may take to close what it had open, in ms. */
const LEAVING_MS = 1_000;

/** Whether what failed is read by a program. */
const isForProgram = process.argv.includes('--json');

const program = new Command('oja')
  .description('Runs and looks after an Oja market.')
  .version(VERSION)
  .enablePositionalOptions()
  .configureOutput({
    outputError: (told) => sayFailed(usageSentence(told), exitCodes.usage, isForProgram),
  })
  .addHelpText('after', examples('start', 'status', "admin grant 'Adunni Textiles'", 'help replay'))
  .exitOverride();

// Whoever reads us may have had enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.ok);
});

/** While a command's modules are read; how it stops then is its own affair. */
function stopped(): never {
  process.stderr.write('Stopped before anything was done.\n');
  process.exit(INTERRUPTED);
}

async function run(args: readonly string[]): Promise<void> {
  const [first] = args;
  const isWord = first !== undefined && !first.startsWith('-') && first !== 'help';
  if (isWord && !commandNames.includes(first)) {
    const hint = nearestOf(first, commandNames);
    throw new Exit(exitCodes.usage, `There is no command '${first}'${hint}.`);
  }
  process.on('SIGINT', stopped);
  await layCommands(program, first);
  process.off('SIGINT', stopped);
  await program.parseAsync(args, { from: 'user' });
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } else {
    const { outcomeOf } = await import('./terminal/outcome.js');
    const { sentence, code } = outcomeOf(error);
    sayFailed(sentence, code, isForProgram);
    process.exitCode = code;
    // A connection that is still open would keep it alive for ever, and nobody would start it again.
    setTimeout(() => process.exit(), LEAVING_MS).unref();
  }
}
