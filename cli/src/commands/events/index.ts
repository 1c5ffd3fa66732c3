import { type EventStore, type Position, positionOf, type RecordedEvent } from '@oja/platform';
import { type AppContext, withContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, say, sayJson } from '../../terminal/output.js';
import { momentOf } from '../../terminal/times.js';
import { existingStream } from '../shared/streams.js';
import { asItWas } from './as-it-was.js';
import { lineOf, placeOf } from './lines.js';
import { stats as countAll } from './stats.js';

interface TailOptions extends Output {
  readonly lines: number;
  readonly follow?: boolean;
}

const tell = (event: RecordedEvent, { json }: Output): void =>
  json ? sayJson<'events'>(event) : say(lineOf(event));

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
  const at = options.at === undefined ? null : momentOf(options.at);
  const stream = await existingStream(context, text);
  if (at === null) {
    for await (const event of eventStore.readStream(stream)) tell(event, options);
    return;
  }
  const was = await asItWas(eventStore, stream, new Date(at).toISOString());
  if (was.revision === null && !options.json) say(`${stream} was not there yet at ${was.at}.`);
  else sayJson<'events show'>(was, options.json ? 0 : 2);
}

export interface FromOptions extends Output {
  /** A position as it is printed, or whole. */
  readonly after?: string;
  readonly correlation?: string;
  /** At most so many. */
  readonly lines?: number;
  readonly follow?: boolean;
}

/** Null: before the first. @throws Exit 2 where the log has not come so far. */
async function positionAfter(eventStore: EventStore, text: string): Promise<Position | null> {
  const number = BigInt(text);
  const head = await eventStore.head();
  const after = number === 0n ? null : positionOf(number);
  if (after === null || (head !== null && after <= head)) return after;
  const end = head === null ? 'The log is empty' : `The log ends at position ${placeOf(head)}`;
  throw new Exit(exitCodes.usage, `${end}; there is no ${number} yet.`);
}

/** What the log has after a position, and with `follow` what comes. */
async function* eventsAfter(
  eventStore: EventStore,
  after: Position | null,
  follow: boolean,
): AsyncIterable<RecordedEvent> {
  const signal = interruptSignal();
  let seen = after;
  for await (const event of eventStore.readAll({ after })) {
    signal.throwIfAborted();
    seen = event.position;
    yield event;
  }
  if (!follow) return;
  // From an event's own place: a server follows from no other number.
  for await (const item of eventStore.subscribe({ after: seen, signal }))
    if (item.kind === 'event') yield item.event;
}

/** The events from a position on, all or those of one request. */
async function eventsFrom({ engines }: AppContext, options: FromOptions): Promise<void> {
  const { eventStore } = engines;
  const { correlation, lines, follow = false } = options;
  const after = await positionAfter(eventStore, options.after ?? '0');
  let found = 0;
  for await (const event of eventsAfter(eventStore, after, follow)) {
    if (correlation !== undefined && event.metadata.correlationId !== correlation) continue;
    tell(event, options);
    found += 1;
    if (found === lines) return;
  }
  if (found > 0 || follow) return;
  const later = after === null ? '' : ` after position ${placeOf(after)}`;
  if (correlation !== undefined)
    throw new Exit(
      exitCodes.usage,
      `There is no event with the correlation '${correlation}'${later}.`,
    );
  if (!options.json) say(`There is no event${later} yet.`);
}

/** On the market of this machine, also one that was taken elsewhere. */
const looking =
  <Args extends readonly unknown[]>(look: (context: AppContext, ...args: Args) => Promise<void>) =>
  (...args: Args): Promise<void> =>
    withContext((context) => look(context, ...args), { moved: true });

export const tail = looking(tailOf);
export const show = looking(showStream);
export const from = looking(eventsFrom);
export const stats = looking((context, options: Output) =>
  countAll(context, options, interruptSignal()),
);
