import { Command, CommanderError } from 'commander';
import { addCommands } from './command-line/index.js';
import { VERSION } from './runtime/program.js';
import { Exit, exitCodes } from './terminal/exit.js';
import {
  outputFailedSentence,
  printFailure,
  printHelp,
  reportOutputFailed,
} from './terminal/output.js';
import { examples, requireKnown, usageSentence } from './terminal/usage.js';

/** Milliseconds that a finished command may take to close its connections. */
const LEAVING_MS = 1_000;

/** Whether a program reads the output, so that a failure is printed as JSON. */
const isForProgram = process.argv.includes('--json');

const program = new Command('oja')
  .description('Run and look after an Oja market.')
  .version(VERSION)
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (help) => printHelp(help),
    writeErr: (help) => printHelp(help, process.stderr),
    outputError: (message) => printFailure(usageSentence(message), exitCodes.usage, isForProgram),
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

// The reader of our output may close the pipe early, as `head` does. What is known to be wrong by then is still told by
// the exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (reportOutputFailed(error)) return;
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.ok);
  printFailure(outputFailedSentence(error), exitCodes.failed, isForProgram);
  process.exit(exitCodes.failed);
});

// Nobody reads what we complain about: the exit code says it still.
process.stderr.on('error', () => undefined);

addCommands(program);

async function run(args: readonly string[]): Promise<void> {
  const named = args[0] === 'help' ? args[1] : args[0];
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (named !== undefined && !named.startsWith('-')) requireKnown('command', named, names);
  await program.parseAsync(args, { from: 'user' });
}

async function main(): Promise<void> {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    } else {
      // Loaded only now: `outcome.js` imports every engine's error classes, which is slow.
      const { sentence, code } =
        error instanceof Exit
          ? { sentence: error.message, code: error.code }
          : (await import('./terminal/outcome.js')).toOutcome(error);
      printFailure(sentence, code, isForProgram);
      process.exitCode = code;
    }
  }
  // An open connection would keep a failed process alive for ever, and then no supervisor would restart it.
  setTimeout(() => process.exit(), LEAVING_MS).unref();
}

/** `bin/oja.js` waits for this: the packed program is made of CommonJS modules, which cannot wait by themselves. */
export const ended = main();
