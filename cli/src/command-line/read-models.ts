import { modelNames } from '@oja/contracts/models/names';
import type { Command } from 'commander';
import type { ReplayStep } from '../commands/replay/index.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { readThen } from '../terminal/interrupt.js';
import type { Output } from '../terminal/output.js';
import { examples, known, nearest, whole } from '../terminal/usage.js';

/** A projection has the name of its read model. */
const projectionNames: readonly string[] = modelNames;
const projection = (name: string) => known('projection', name, projectionNames);

const verify = readThen(async () => (await import('../commands/verify/index.js')).verify);

export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description(
      'prove that read models are equal to a clean rebuild and the ledger is balanced; the market may sell meanwhile',
    )
    .argument('[projection...]', `${projectionNames.join(', ')}; all where none is named`)
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nExit 1 where something differs, with the ids.\n${examples('verify', 'verify ledger', 'verify catalogue sellers --json')}`,
    )
    .action((names: string[], options: Output) => verify(names.map(projection), options));
}

export const replaySteps: readonly ReplayStep[] = [
  'plan',
  'start',
  'watch',
  'verify',
  'switch',
  'rollback',
  'clean',
];

const replay = readThen(async () => (await import('../commands/replay/index.js')).replay);
const replayAll = readThen(async () => (await import('../commands/replay/several.js')).replayAll);

interface Asked extends Output {
  readonly all?: boolean;
  readonly stream?: string;
}

const NAME_ONE = '--stream repairs the documents of one projection: name it.';

/** Runs the replay that the arguments ask for. @throws Exit 2 when they name no projection or contradict each other. */
function replayAsked(words: readonly string[], options: Asked): Promise<void> {
  const [first, second, ...more] = words;
  const meant = nearest(first ?? '', [...replaySteps, ...projectionNames]);
  // A mistyped step is reported as an unknown step, not as an unknown projection.
  const isStep = replaySteps.some((step) => step === meant);
  if (options.all === true) {
    if (first !== undefined)
      throw new Exit(exitCodes.usage, `Say --all or '${words.join(' ')}', and not both.`);
    if (options.stream === undefined) return replayAll(projectionNames, options);
    throw new Exit(exitCodes.usage, NAME_ONE);
  }
  if (first === undefined || (isStep && second === undefined))
    throw new Exit(exitCodes.usage, `Say which projection: ${projectionNames.join(', ')}.`);
  if (isStep && more.length > 0)
    throw new Exit(
      exitCodes.usage,
      `A step is done with one projection: oja replay ${first} ${second}.`,
    );
  if (isStep && second !== undefined)
    return replay(known('replay step', first, replaySteps), projection(second), options);
  const names = [...new Set(words.map(projection))];
  if (names.length === 1) return replay(null, projection(first), options);
  if (options.stream === undefined) return replayAll(names, options);
  throw new Exit(exitCodes.usage, NAME_ONE);
}

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description(
      'build a read model anew from the log, beside the live one, while the market sells',
    )
    .argument('[step|projection]', `${replaySteps.join(', ')}; or a projection for all of it`)
    .argument('[projection...]', projectionNames.join(', '))
    .option('--all', 'every projection, one after the other')
    .option('--stream <id>', "repair the documents of one stream, with a projection's name alone")
    .option('--yes', 'clean without being asked')
    .option('--building', 'clean also what is being built: a build that was killed')
    .option('--force', 'build also where the disk seems to have too little room')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Steps:
  plan      how many events, about how long, and how much room
  start     build the next generation beside the live one; run again, it goes on
  watch     how far it has come
  verify    compare it with the live one, document by document; exit 1 at a difference
  switch    make it live: one write
  rollback  go back to the one before
  clean     delete all but the live one, also what another release has built

Examples:
  oja replay catalogue                     all of it; stops at a difference
  oja replay sellers ledger                one after the other, up to what fails
  oja replay --all
  oja replay plan catalogue
  oja replay ledger --json
  oja replay catalogue --stream product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a
`,
    )
    .action((first: string | undefined, others: readonly string[], options: Asked) =>
      replayAsked(first === undefined ? others : [first, ...others], options),
    );
}

const SHOW = 'quarantine show catalogue product-0b9d2f5e-…';
const RETRY = 'quarantine retry catalogue product-0b9d2f5e-…          after the code was mended';
const SKIP = "quarantine skip catalogue product-0b9d2f5e-… --reason 'written by a faulty release'";

export function quarantineCommand(program: Command): void {
  const names = projectionNames.join(', ');
  const quarantine = program
    .command('quarantine')
    .description('streams that wait because an event of theirs could not be projected')
    .addHelpText('after', examples('quarantine list', SHOW, RETRY, SKIP));
  quarantine
    .command('list')
    .description('all of them')
    .option('--json', 'for programs')
    .addHelpText('after', examples('quarantine list', 'quarantine list --json'))
    .action(readThen(async () => (await import('../commands/quarantine.js')).list));
  quarantine
    .command('show')
    .description('the error, and the events that wait')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--json', 'for programs')
    .addHelpText('after', examples(SHOW))
    .action(readThen(async () => (await import('../commands/quarantine.js')).showOne));
  quarantine
    .command('retry')
    .description('project what waits, all of it or nothing')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--json', 'for programs')
    .addHelpText('after', examples(RETRY))
    .action(readThen(async () => (await import('../commands/quarantine.js')).retry));
  quarantine
    .command('skip')
    .description('pass over the event that stopped the stream, and project what follows')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--reason <text>', 'why; it is recorded')
    .option(
      '--through <revision>',
      'pass over all up to this revision',
      whole(0, 'the revision of an event'),
    )
    .option('--json', 'for programs')
    .addHelpText('after', examples(SKIP, `${SKIP} --through 7`))
    .action(readThen(async () => (await import('../commands/quarantine.js')).skip));
}
