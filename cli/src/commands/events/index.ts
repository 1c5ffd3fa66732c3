import type { RecordedEvent } from '@oja/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { type AppContext, withContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, say, sayJson } from '../../terminal/output.js';
import { momentOf } from '../../terminal/times.js';
import { examples, noSuchCommand } from '../../terminal/usage.js';
import { existingStream } from '../shared/streams.js';
import { asItWas } from './as-it-was.js';
import { lineOf, withoutSealed } from './lines.js';
import { stats } from './stats.js';

export interface TailOptions extends Output {
  readonly lines: number;
  readonly follow?: boolean;
}

export const tell = (event: RecordedEvent, { json }: Output): void =>
  json ? sayJson(event) : say(lineOf(event));

/** The last events of the log, and with `follow` those that come. */
export async function tail(
  { engines }: AppContext,
  options: TailOptions,
  signal: AbortSignal,
): Promise<void> {
  const { eventStore } = engines;
  // At least one, to know where those that come begin.
  const last = await eventStore.readLast(Math.max(1, options.lines));
  const end = last.at(-1)?.position ?? null;
  for (const event of options.lines === 0 ? [] : last) tell(event, options);
  if (!options.follow) return;
  for await (const item of eventStore.subscribe({ after: end, signal }))
    if (item.kind === 'event') tell(item.event, options);
}

interface ShowOptions extends Output {
  readonly at?: string;
}

async function showStream(context: AppContext, text: string, options: ShowOptions): Promise<void> {
  const { eventStore } = context.engines;
  const at = options.at === undefined ? null : momentOf(options.at, context.clock.now());
  const stream = await existingStream(context, text);
  if (at === null) {
    for await (const event of eventStore.readStream(stream)) tell(event, options);
    return;
  }
  const was = await asItWas(eventStore, stream, new Date(at).toISOString());
  if (was.revision === null && !options.json) say(`${stream} was not there yet at ${was.at}.`);
  else sayJson(withoutSealed(was), options.json ? 0 : 2);
}

async function correlated(context: AppContext, id: string, options: Output): Promise<void> {
  let found = false;
  for await (const event of context.engines.eventStore.readAll({ after: null })) {
    if (event.metadata.correlationId !== id) continue;
    found = true;
    tell(event, options);
  }
  if (!found) throw new Exit(exitCodes.usage, `There is no event with the correlation '${id}'.`);
}

function count(text: string): number {
  const lines = Number(text);
  if (!Number.isSafeInteger(lines) || lines < 0)
    throw new InvalidArgumentError('It takes a whole number from 0 on.');
  return lines;
}

const SHOW = [
  'events show product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a',
  'events show seller-7c1e… --at 2026-01-31         the store as it was, with its goods',
];

/** Also a market that was taken elsewhere. */
const LOOKS = { moved: true };

export function eventsCommand(program: Command): void {
  const events = program
    .command('events')
    .description('look at the log; personal values stay sealed')
    .option('--correlation <id>', 'all that followed from one request, by its correlation id')
    .option('--json', 'for programs: one event a line')
    .addHelpText(
      'after',
      examples('events tail --follow', ...SHOW, 'events stats', 'events --correlation 0192c1d0-…'),
    )
    .allowExcessArguments()
    .action(async (options: Output & { readonly correlation?: string }) => {
      const { correlation } = options;
      const [unknown] = events.args;
      if (unknown !== undefined) throw noSuchCommand('events', unknown, events.commands);
      if (correlation === undefined) events.help({ error: true });
      else await withContext((context) => correlated(context, correlation, options), LOOKS);
    });
  events
    .command('tail')
    .description('the last events')
    .option('-n, --lines <n>', 'how many', count, 20)
    .option('-f, --follow', 'go on with those that come, until Ctrl-C')
    .option('--json', 'for programs: one event a line')
    .addHelpText('after', examples('events tail -n 50', 'events tail --follow --json'))
    .action((options: TailOptions) =>
      withContext((context) => tail(context, options, interruptSignal()), LOOKS),
    );
  events
    .command('show')
    .description('the events of one stream, or what it tells at a moment')
    .argument('<stream>', 'a stream, or the id of a product, order, seller, …')
    .option('--at <time>', 'a day (midnight in Lagos) or a time, e.g. 2026-01-31T14:00:00Z')
    .option('--json', 'for programs: one event a line')
    .addHelpText('after', examples(...SHOW))
    .action((stream: string, options: ShowOptions) =>
      withContext((context) => showStream(context, stream, options), LOOKS),
    );
  events
    .command('stats')
    .description('how many events there are, of which kinds')
    .option('--json', 'for programs')
    .addHelpText('after', examples('events stats', 'events stats --json'))
    .action((options: Output) =>
      withContext((context) => stats(context, options, interruptSignal()), LOOKS),
    );
}
