import { streamCategory } from '@oja/domain';
import { type EventStore, type Position, positionOf, type RecordedEvent } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { type AppContext, withContext } from '../../runtime/context.js';
import { usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import {
  formatTable,
  type Output,
  printAnswer,
  printJson,
  printLine,
} from '../../terminal/output.js';
import { parseMoment } from '../../terminal/times.js';
import { existingStream } from '../shared/named.js';
import { formatEvent, formatPosition } from './format-event.js';
import { readStreamAt } from './stream-at-time.js';

export interface TailOptions extends Output {
  /** Infinity: all. */
  readonly lines: number;
  readonly follow?: boolean;
}

const sayEvent = (event: RecordedEvent, { json }: Output): void =>
  json ? printJson<'events'>(event) : printLine(formatEvent(event));

/** Prints the last events of the log, and with `follow` new ones as they come. */
async function tailOf({ engines }: AppContext, options: TailOptions): Promise<void> {
  const { eventStore } = engines;
  const signal = interruptSignal();
  // Reads at least one event, to know the position to follow from.
  const last = await eventStore.readLast(Math.max(1, options.lines));
  const end = last.at(-1)?.position ?? null;
  for (const event of options.lines === 0 ? [] : last) sayEvent(event, options);
  if (!options.follow) {
    if (end === null && !options.json) printLine('There is no event yet.');
    return;
  }
  for await (const item of eventStore.subscribe({ after: end, signal }))
    if (item.kind === 'event') sayEvent(item.event, options);
}

interface ShowOptions extends Output {
  readonly at?: string;
}

async function showStream(context: AppContext, text: string, options: ShowOptions): Promise<void> {
  const { eventStore } = context.engines;
  const at = options.at === undefined ? null : parseMoment(options.at);
  const stream = await existingStream(context, text);
  if (at === null) {
    for await (const event of eventStore.readStream(stream)) sayEvent(event, options);
    return;
  }
  const was = await readStreamAt(eventStore, stream, new Date(at).toISOString());
  if (was.revision === null && !options.json)
    printLine(`${stream} did not exist yet at ${was.at}.`);
  else printJson<'events show'>(was, options.json ? 0 : 2);
}

export interface FromOptions extends Output {
  /** A position, with or without its leading zeros. */
  readonly after?: string;
  readonly correlation?: string;
  /** The largest number of events to print. */
  readonly lines?: number;
  readonly follow?: boolean;
}

/** Parses a position; null: before the first event. @throws Exit 2 when it is beyond the end of the log. */
async function positionAfter(eventStore: EventStore, text: string): Promise<Position | null> {
  const number = BigInt(text);
  const head = await eventStore.head();
  const after = number === 0n ? null : positionOf(number);
  if (after === null || (head !== null && after <= head)) return after;
  const end =
    head === null ? 'The log is empty' : `The log ends at position ${formatPosition(head)}`;
  throw usageExit(`${end}; there is no ${number} yet.`);
}

/** The events after a position, and with `follow` new ones as they come. */
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
  // Subscribes from an event's own position: EventStoreDB accepts no number in between.
  for await (const item of eventStore.subscribe({ after: seen, signal }))
    if (item.kind === 'event') yield item.event;
}

/** Prints the events after a position, all or those of one request. */
async function eventsFrom({ engines }: AppContext, options: FromOptions): Promise<void> {
  const { eventStore } = engines;
  const { correlation, lines, follow = false } = options;
  const after = await positionAfter(eventStore, options.after ?? '0');
  let found = 0;
  for await (const event of eventsAfter(eventStore, after, follow)) {
    if (correlation !== undefined && event.metadata.correlationId !== correlation) continue;
    sayEvent(event, options);
    found += 1;
    if (found === lines) return;
  }
  if (found > 0 || follow) return;
  const later = after === null ? '' : ` after position ${formatPosition(after)}`;
  if (correlation !== undefined)
    throw usageExit(`There is no event with the correlation '${correlation}'${later}.`);
  if (!options.json) printLine(`There is no event${later} yet.`);
}

type Stats = Answer<'events stats'>;

const largestFirst = <T>(counts: ReadonlyMap<string, T>, size: (of: T) => number) =>
  Object.fromEntries([...counts].sort(([, a], [, b]) => size(b) - size(a)));

async function statsOf({ engines }: AppContext, signal: AbortSignal): Promise<Stats> {
  const types = new Map<string, number>();
  const categories = new Map<string, { events: number; streams: number }>();
  let [events, streams] = [0, 0];
  let first: string | null = null;
  let last: string | null = null;
  for await (const { type, stream, revision, metadata } of engines.eventStore.readAll({
    after: null,
  })) {
    signal.throwIfAborted();
    events += 1;
    // Imported and seeded events may have earlier times than the events before them in the log.
    if (first === null || metadata.time < first) first = metadata.time;
    if (last === null || metadata.time > last) last = metadata.time;
    types.set(type, (types.get(type) ?? 0) + 1);
    const of = categories.get(streamCategory(stream)) ?? { events: 0, streams: 0 };
    categories.set(streamCategory(stream), of);
    of.events += 1;
    if (revision > 0) continue;
    of.streams += 1;
    streams += 1;
  }
  return {
    events,
    streams,
    first,
    last,
    types: largestFirst(types, (count) => count),
    categories: largestFirst(categories, (of) => of.events),
  };
}

/** Prints how many events of each category and type the log has. */
async function showStats(context: AppContext, options: Output): Promise<void> {
  const found = await statsOf(context, interruptSignal());
  printAnswer<'events stats'>(options, found, () => [
    `${found.events} events in ${found.streams} streams, from ${found.first ?? '-'} to ${found.last ?? '-'}`,
    '',
    ...formatTable([
      ['category', 'streams', 'events'],
      ...Object.entries(found.categories).map(([name, of]) => [
        name,
        String(of.streams),
        String(of.events),
      ]),
    ]),
    '',
    ...formatTable([
      ['type', 'events'],
      ...Object.entries(found.types).map(([name, count]) => [name, String(count)]),
    ]),
  ]);
}

/** Runs a command that only reads; allowed also on a market that was moved out. */
const readOnlyCommand =
  <Args extends readonly unknown[]>(look: (context: AppContext, ...args: Args) => Promise<void>) =>
  (...args: Args): Promise<void> =>
    withContext((context) => look(context, ...args), { mayBeMoved: true });

export const tail = readOnlyCommand(tailOf);
export const show = readOnlyCommand(showStream);
export const from = readOnlyCommand(eventsFrom);
export const stats = readOnlyCommand(showStats);
