import { modelNames } from '@oja/contracts/models/names';
import type { Command } from 'commander';
import type { ReplayStep } from '../commands/replay/index.js';
import { usageExit } from '../terminal/exit.js';
import { lazyAction } from '../terminal/interrupt.js';
import type { Output } from '../terminal/output.js';
import { examples, nearest, requireKnown, wholeNumber } from '../terminal/usage.js';

/** A projection has the name of its read model. */
const projectionNames: readonly string[] = modelNames;
const projection = (name: string) => requireKnown('projection', name, projectionNames);

const verify = lazyAction(async () => (await import('../commands/verify/index.js')).verify);

export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description(
      'check that read models match a clean rebuild and the ledger is balanced; the market may be running',
    )
    .argument('[projection...]', `${projectionNames.join(', ')} (default: all)`)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nIf anything differs, it prints the ids, and the exit code is 1.\n${examples('verify', 'verify ledger', 'verify catalogue sellers --json')}`,
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

const replay = lazyAction(async () => (await import('../commands/replay/index.js')).replay);
const replayAll = lazyAction(async () => (await import('../commands/replay/whole.js')).replayAll);

interface ReplayOptions extends Output {
  readonly all?: boolean;
  readonly stream?: string;
  readonly building?: boolean;
}

const NAME_ONE = '--stream repairs documents of one projection: name exactly one projection.';

/** Runs the replay that the arguments ask for. @throws Exit 2 when they name no projection or contradict each other. */
function replayAsked(words: readonly string[], options: ReplayOptions): Promise<void> {
  const [first, second, ...more] = words;
  const meant = nearest(first ?? '', [...replaySteps, ...projectionNames]);
  // A mistyped step is reported as an unknown step, not as an unknown projection.
  const isStep = replaySteps.some((step) => step === meant);
  if (options.building === true && meant !== 'clean')
    throw usageExit('Only clean takes --building.');
  if (options.all === true) {
    if (first !== undefined) throw usageExit(`Say --all or '${words.join(' ')}', and not both.`);
    if (options.stream === undefined) return replayAll(projectionNames, options);
    throw usageExit(NAME_ONE);
  }
  if (first === undefined || (isStep && second === undefined))
    throw usageExit(`Say which projection: ${projectionNames.join(', ')}.`);
  if (isStep && more.length > 0)
    throw usageExit(`A step works with one projection: oja replay ${first} ${second}.`);
  if (isStep && second !== undefined) {
    const step = requireKnown('replay step', first, replaySteps);
    const name = projection(second);
    if (options.stream === undefined) return replay(step, name, options);
    throw usageExit(
      `A step works with the whole model. To repair the documents of one stream: oja replay ${name} --stream ${options.stream}`,
    );
  }
  const names = [...new Set(words.map(projection))];
  if (names.length === 1) return replay(null, projection(first), options);
  if (options.stream === undefined) return replayAll(names, options);
  throw usageExit(NAME_ONE);
}

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description(
      'rebuild a read model from the log, beside the live one; the market may be running',
    )
    .argument('[step|projection]', `${replaySteps.join(', ')}; or a projection, for all steps`)
    .argument('[projection...]', projectionNames.join(', '))
    .option('--all', 'rebuild every projection, one after the other')
    .option('--stream <id>', 'only repair the documents of this stream, in one projection')
    .option('--yes', 'do not ask for confirmation before cleaning')
    .option(
      '--building',
      'with clean: also delete an unfinished build, such as one that was killed',
    )
    .option('--force', 'build even if the disk seems to have too little room')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Steps:
  plan      show how many events it reads, about how long, and the room it needs
  start     build the next generation beside the live one; run again to continue
  watch     show the progress of the build
  verify    compare it with the live one; the exit code is 1 if they differ
  switch    make it live, by a single write
  rollback  go back to the previous generation
  clean     delete all but the live one, and what other releases have built

Examples:
  oja replay catalogue         all steps; stops if the generations differ
  oja replay sellers ledger    one after the other; stops at the first failure
  oja replay --all
  oja replay plan catalogue
  oja replay ledger --json
  oja replay catalogue --stream product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a
`,
    )
    .action((first: string | undefined, others: readonly string[], options: ReplayOptions) =>
      replayAsked(first === undefined ? others : [first, ...others], options),
    );
}

const SHOW = 'quarantine show catalogue product-0b9d2f5e-…';
const RETRY = 'quarantine retry catalogue product-0b9d2f5e-…          after the code was fixed';
const SKIP = "quarantine skip catalogue product-0b9d2f5e-… --reason 'written by a faulty release'";

export function quarantineCommand(program: Command): void {
  const names = projectionNames.join(', ');
  const quarantine = program
    .command('quarantine')
    .description('show, retry or skip events that could not be projected')
    .addHelpText('after', examples('quarantine list', SHOW, RETRY, SKIP));
  quarantine
    .command('list')
    .description('list all parked streams')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('quarantine list', 'quarantine list --json'))
    .action(lazyAction(async () => (await import('../commands/quarantine.js')).list));
  quarantine
    .command('show')
    .description('show the error and the waiting events')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(SHOW))
    .action(lazyAction(async () => (await import('../commands/quarantine.js')).showParked));
  quarantine
    .command('retry')
    .description('project the waiting events, either all of them or none')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(RETRY))
    .action(lazyAction(async () => (await import('../commands/quarantine.js')).retry));
  quarantine
    .command('skip')
    .description('skip the event that stopped the stream, and project the rest')
    .argument('<projection>', names, projection)
    .argument('<stream>')
    .option('--reason <text>', 'the reason; recorded in the log')
    .option(
      '--through <revision>',
      'skip all waiting events up to this revision',
      wholeNumber(0, 'the revision of an event'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples(SKIP, `${SKIP} --through 7`))
    .action(lazyAction(async () => (await import('../commands/quarantine.js')).skip));
}
