import type { RecordedEvent } from '@oja/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { Exit, exitCodes } from '../../market/exit.js';
import { withGround } from '../../market/withGround.js';
import { examples } from '../../terminal/examples.js';
import { type Output, plural, say, sayJson, show, table } from '../../terminal/output.js';
import { lineOf } from '../events/lines.js';
import { projectionNames } from '../shared/projections.js';
import { allParked, parkedStream } from './parked.js';
import { type Release, release } from './release.js';

async function list(options: Output): Promise<void> {
  await withGround(async (ground) => {
    const parked = await allParked(ground);
    const rows = parked.map((each) => ({ role: each.role, ...each.stream }));
    show(options, rows, () =>
      rows.length === 0
        ? ['No stream is parked.']
        : table([
            ['read model', 'stream', 'at', 'waiting', 'since', 'error'],
            ...rows.map(({ model, stream, revision, events, since, error }) => [
              model,
              stream,
              String(revision),
              plural(events, 'event'),
              since,
              error,
            ]),
          ]),
    );
  });
}

async function showOne(projection: string, stream: string, options: Output): Promise<void> {
  await withGround(async (ground) => {
    for (const parked of await parkedStream(ground, projection, stream)) {
      const { revision, error, events } = parked.stream;
      const waiting: RecordedEvent[] = [];
      for await (const event of ground.engines.eventStore.readStream(stream, { from: revision }))
        waiting.push(event);
      show(options, { ...parked.stream, waiting }, () => [
        `${parked.stream.model} stopped ${stream} at revision ${revision}: ${error}`,
        `${plural(events, 'event')} of it wait:`,
        ...waiting.map((event) => `  ${lineOf(event)}`),
      ]);
    }
  });
}

async function letGo(
  projection: string,
  stream: string,
  asked: Release,
  options: Output,
): Promise<void> {
  await withGround(async (ground) => {
    for (const parked of await parkedStream(ground, projection, stream)) {
      const released = await release(ground, parked, asked);
      if (options.json) sayJson(released);
      else say(`${released.stream} follows the log again in ${released.model}.`);
    }
  });
}

function revision(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError('It takes the revision of an event.');
  return number;
}

type SkipOptions = Output & { readonly reason?: string; readonly through?: number };

async function skip(projection: string, stream: string, options: SkipOptions): Promise<void> {
  const { reason, through } = options;
  if (reason === undefined || reason.trim() === '')
    throw new Exit(exitCodes.usage, "Say why it is passed over for ever: --reason '…'.");
  const asked = { how: 'skip', reason, ...(through !== undefined && { through }) } as const;
  await letGo(projection, stream, asked, options);
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
    .action(list);
  quarantine
    .command('show')
    .description('the error, and the events that wait')
    .argument('<projection>', names)
    .argument('<stream>')
    .option('--json', 'for programs')
    .addHelpText('after', examples(SHOW))
    .action(showOne);
  quarantine
    .command('retry')
    .description('project what waits, all of it or nothing')
    .argument('<projection>', names)
    .argument('<stream>')
    .option('--json', 'for programs')
    .addHelpText('after', examples(RETRY))
    .action((projection: string, stream: string, options: Output) =>
      letGo(projection, stream, { how: 'retry', reason: 'retried by an operator' }, options),
    );
  quarantine
    .command('skip')
    .description('pass over the event that stopped the stream, and project what follows')
    .argument('<projection>', names)
    .argument('<stream>')
    .option('--reason <text>', 'why; it is recorded')
    .option('--through <revision>', 'pass over all up to this revision', revision)
    .option('--json', 'for programs')
    .addHelpText('after', examples(SKIP, `${SKIP} --through 7`))
    .action(skip);
}
