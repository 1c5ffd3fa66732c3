import { join } from 'node:path';
import { noticesAbout } from '@oja/command-service';
import { isWrittenAbout } from '@oja/contracts/models';
import { formatMoney, keySubject, OPERATIONS_STREAM, streamNames } from '@oja/domain';
import { isReferenceOf } from '@oja/domain/rules';
import { files, type RecordedEvent } from '@oja/platform';
import { lettersAbout } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { jsonText, plural } from '../../terminal/output.js';
import { SEALED, withoutSealed } from '../events/lines.js';
import { linesOfAll } from '../shared/log-files.js';
import { isAboutOrder, type LogLine, logLineIn, whatOf } from '../shared/log-line.js';
import type { PlacedOrder } from '../shared/orders.js';
import { entriesOfJobs } from './jobs.js';
import type { StoryEntry } from './story-entry.js';

/** Fields of events that are amounts in kobo. */
const sums = new Set(['amount', 'deliveryFee', 'fees', 'price', 'share']);
/** Fields left out: the story shows them elsewhere. */
const known = new Set(['transactionId', 'at']);

function detailOf([name, value]: readonly [string, unknown], currency: string): string {
  if (typeof value === 'number' && sums.has(name)) return `${name} ${formatMoney(value, currency)}`;
  if (Array.isArray(value))
    return value.some((part) => typeof part === 'object')
      ? plural(value.length, name.replace(/s$/, ''))
      : `${name} ${value.join(' ')}`;
  return `${name} ${typeof value === 'string' ? value : jsonText(value)}`;
}

/** The data of an event on one line, without sealed values. */
function detailsOf(data: unknown, currency: string): string {
  const members = Object.entries(withoutSealed(data) ?? {});
  const shown = members.filter(
    ([name, value]) => !known.has(name) && value !== null && value !== SEALED,
  );
  return shown.map((member) => detailOf(member, currency)).join(', ');
}

/** The trace id in a traceparent, `00-<trace>-<span>-<flags>`. */
const traceOf = (traceparent: string | undefined): string | null =>
  traceparent?.split('-')[1] ?? null;

/** The currency of each event's amounts. A refund is in that of its payment, which alone names it. */
function currenciesIn(events: readonly RecordedEvent[]) {
  const named = events.filter(({ data }) => typeof data.currency === 'string');
  const ofRefunds = new Map(named.map(({ data }) => [data.refundId, data.currency]));
  return ({ data }: RecordedEvent): string =>
    String(data.currency ?? ofRefunds.get(data.refundId) ?? 'NGN');
}

const ofEvent = ({ type, data, metadata }: RecordedEvent, currency: string): StoryEntry => ({
  time: metadata.time,
  source: 'log',
  what: type,
  who: metadata.actor,
  requestId: metadata.correlationId,
  traceId: traceOf(metadata.traceparent),
  details: detailsOf(data, currency),
});

/** The events of the order's own stream, and those about it in its products' streams and in the operations stream. */
async function eventsAbout({ engines }: AppContext, order: PlacedOrder) {
  const { eventStore } = engines;
  const { transactionId } = order;
  const events: RecordedEvent[] = [];
  for await (const event of eventStore.readStream(streamNames.transaction(transactionId)))
    events.push(event);
  const products = new Set(order.lines.map(({ productId }) => productId));
  for (const productId of products)
    for await (const event of eventStore.readStream(streamNames.product(productId)))
      if (event.data.transactionId === transactionId) events.push(event);
  for await (const event of eventStore.readStream(OPERATIONS_STREAM))
    if (event.data.subject === keySubject('transaction', transactionId)) events.push(event);
  return events;
}

/** The provider's notices that are stored about an order, worked on or not. */
export function noticesOf({ engines, clock }: AppContext, { transactionId, shares }: PlacedOrder) {
  const payouts = new Set(shares.flatMap(({ payoutId, givenUp }) => [payoutId, ...givenUp]));
  const isAbout = (reference: string) =>
    isReferenceOf(reference, transactionId) || payouts.has(reference);
  return noticesAbout({ state: engines.state, clock }, isAbout);
}

const ofNotice = ({
  type,
  reference,
  isDone,
  at,
}: Awaited<ReturnType<typeof noticesAbout>>[number]): StoryEntry => ({
  time: at,
  source: 'webhook',
  what: type,
  who: 'provider',
  requestId: null,
  traceId: null,
  details: `reference ${reference}, ${isDone ? 'processed' : 'stored, not processed yet'}`,
});

async function ofLetters(
  { engines, clock }: AppContext,
  { transactionId, shares }: PlacedOrder,
  events: readonly RecordedEvent[],
) {
  const own = streamNames.transaction(transactionId);
  const eventIds = events
    .filter(({ stream, type }) => stream === own && isWrittenAbout(type))
    .map(({ id }) => id);
  const sellerIds = shares.map(({ sellerId }) => sellerId);
  const letters = await lettersAbout(
    engines.state,
    transactionId,
    { sellerIds, eventIds },
    clock.now(),
  );
  return letters.map(
    ({ kind, outcome, at, error }): StoryEntry => ({
      time: at,
      source: 'letter',
      what: kind,
      who: null,
      requestId: null,
      traceId: null,
      details:
        outcome === 'later'
          ? `could not be sent, the next attempt is due then: ${error ?? ''}`
          : outcome,
    }),
  );
}

const isRefusal = ({ level, status = 0 }: LogLine) => level !== 'info' || status >= 400;

function ofLine(line: LogLine): StoryEntry {
  const { time, service, correlationId, reason, err } = line;
  const said = [reason, err?.message].filter((part) => part !== undefined);
  return {
    time,
    source: 'service',
    what: whatOf(line),
    who: service,
    requestId: correlationId ?? null,
    traceId: null,
    details: said.join(': '),
  };
}

/** Warnings, errors and refused requests about the order in the log files of this data folder. */
function ofLines({ config }: AppContext, { transactionId }: PlacedOrder): readonly StoryEntry[] {
  const entries: StoryEntry[] = [];
  for (const text of linesOfAll(join(config.dataDir, files.logs))) {
    const line = text.includes('"order":') ? logLineIn(text) : null;
    if (line !== null && isAboutOrder(line, transactionId) && isRefusal(line))
      entries.push(ofLine(line));
  }
  return entries;
}

/** Everything known about an order, the oldest first. */
export async function storyOf(
  context: AppContext,
  order: PlacedOrder,
): Promise<readonly StoryEntry[]> {
  const events = await eventsAbout(context, order);
  const notices = await noticesOf(context, order);
  const currencyOf = currenciesIn(events);
  const entries: readonly StoryEntry[] = [
    ...events.map((event) => ofEvent(event, currencyOf(event))),
    ...notices.map(ofNotice),
    ...(await ofLetters(context, order, events)),
    ...(await entriesOfJobs(context, events, notices)),
    ...ofLines(context, order),
  ];
  return entries.toSorted((one, other) =>
    one.time < other.time ? -1 : one.time > other.time ? 1 : 0,
  );
}
