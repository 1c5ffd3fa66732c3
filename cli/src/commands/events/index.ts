import type { RecordedEvent } from '@oja/platform';
import { type AppContext, withContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, say, sayJson } from '../../terminal/output.js';
import { momentOf } from '../../terminal/times.js';
import { existingStream } from '../shared/streams.js';
import { asItWas } from './as-it-was.js';
import { lineOf, withoutSealed } from './lines.js';
import { stats as countAll } from './stats.js';

interface TailOptions extends Output {
  readonly lines: number;
  readonly follow?: boolean;
}

const tell = (event: RecordedEvent, { json }: Output): void =>
  json ? sayJson(event) : say(lineOf(event));

/** The last events of the log, and with `follow` those that come. */
async function tailOf({ engines }: AppContext, options: TailOptions): Promise<void> {
  const { eventStore } = engines;
  const signal = interruptSignal();
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

async function correlatedBy(context: AppContext, id: string, options: Output): Promise<void> {
  let found = false;
  for await (const event of context.engines.eventStore.readAll({ after: null })) {
    if (event.metadata.correlationId !== id) continue;
    found = true;
    tell(event, options);
  }
  if (!found) throw new Exit(exitCodes.usage, `There is no event with the correlation '${id}'.`);
}

/** On the market of this machine, also one that was taken elsewhere. */
const looking =
  <Args extends readonly unknown[]>(look: (context: AppContext, ...args: Args) => Promise<void>) =>
  (...args: Args): Promise<void> =>
    withContext((context) => look(context, ...args), { moved: true });

export const tail = looking(tailOf);
export const show = looking(showStream);
export const correlated = looking(correlatedBy);
export const stats = looking((context, options: Output) =>
  countAll(context, options, interruptSignal()),
);
