import { join } from 'node:path';
import { findWebhooks } from '@oja/command-service';
import { isNewsLetterEvent, queues } from '@oja/contracts/models';
import { formatMoney, keySubject, OPERATIONS_STREAM, shareIndexOf, streamNames } from '@oja/domain';
import { isReferenceOf } from '@oja/domain/rules';
import {
  type Config,
  files,
  type KeptJob,
  type RecordedEvent,
  StoreUnavailable,
} from '@oja/platform';
import { findAddedJobs, readLettersOfOrder } from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { jsonText, plural, sayNote } from '../../terminal/output.js';
import { SEALED, withoutSealed } from '../events/format-event.js';
import { linesOfAll } from '../shared/log-files.js';
import { formatLogMessage, isAboutOrder, type LogLine, logLineIn } from '../shared/log-line.js';
import type { PlacedOrder } from '../shared/orders.js';

/** The whole answer of `oja trace` for one order. */
export type Story = Exclude<Answer<'trace'>, { readonly orders: unknown }>;

/** One entry in the story of an order. */
export type StoryEntry = Story['story'][number];

/** Fields of events that are amounts in kobo. */
const sums = new Set(['amount', 'deliveryFee', 'fees', 'price', 'returned', 'share']);
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

const eventEntry = ({ type, data, metadata }: RecordedEvent, currency: string): StoryEntry => ({
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

/** The provider's webhooks that are stored about an order, worked on or not, also those about transfers that failed. */
export function noticesOf({ engines, clock }: AppContext, { transactionId }: PlacedOrder) {
  const isAbout = (reference: string) =>
    isReferenceOf(reference, transactionId) || shareIndexOf(transactionId, reference) !== null;
  return findWebhooks({ state: engines.state, clock }, isAbout);
}

const noticeEntry = ({
  type,
  reference,
  isDone,
  at,
}: Awaited<ReturnType<typeof findWebhooks>>[number]): StoryEntry => ({
  time: at,
  source: 'webhook',
  what: type,
  who: 'provider',
  requestId: null,
  traceId: null,
  details: `reference ${reference}, ${isDone ? 'processed' : 'stored, not processed yet'}`,
});

async function letterEntries(
  { engines, clock }: AppContext,
  { transactionId, shares }: PlacedOrder,
  events: readonly RecordedEvent[],
) {
  const own = streamNames.transaction(transactionId);
  const eventIds = events
    .filter(({ stream, type }) => stream === own && isNewsLetterEvent(type))
    .map(({ id }) => id);
  const sellerIds = shares.map(({ sellerId }) => sellerId);
  const letters = await readLettersOfOrder(
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

/** The lines in the log files of this data folder that have a text in them; the others are not parsed. */
function* logLinesWith({ dataDir }: Config, part: string): Generator<LogLine> {
  for (const text of linesOfAll(join(dataDir, files.logs))) {
    const line = text.includes(part) ? logLineIn(text) : null;
    if (line !== null) yield line;
  }
}

const isRefusal = ({ level, status = 0 }: LogLine) => level !== 'info' || status >= 400;

function lineEntry(line: LogLine): StoryEntry {
  const { time, service, correlationId, reason, err } = line;
  const said = [reason, err?.message].filter((part) => part !== undefined);
  return {
    time,
    source: 'service',
    what: formatLogMessage(line),
    who: service,
    requestId: correlationId ?? null,
    traceId: null,
    details: said.join(': '),
  };
}

/** Warnings, errors and refused requests about the order in the log files of this data folder. */
function lineEntries(
  { config }: AppContext,
  { transactionId }: PlacedOrder,
): readonly StoryEntry[] {
  const entries: StoryEntry[] = [];
  for (const line of logLinesWith(config, '"order":'))
    if (isAboutOrder(line, transactionId) && isRefusal(line)) entries.push(lineEntry(line));
  return entries;
}

/** A job and the event that asked for it; null when the request is not in the log. */
interface RequestedJob {
  readonly job: KeptJob;
  readonly event: RecordedEvent | null;
}

type Notices = Awaited<ReturnType<typeof findWebhooks>>;

/** Leaves out jobs that succeeded at the first try: their results are in the story anyway. */
const isWorthShowing = ({ state, tries }: KeptJob): boolean => state !== 'done' || tries > 1;

/**
 * The last error of each job, by its id. Queues keep no error texts, since they may name people, so the errors come
 * from the logs in this data folder.
 */
function lastErrors(config: Config, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const errors = new Map<string, { readonly time: string; readonly message: string }>();
  if (ids.size === 0) return new Map();
  for (const { job, err, time } of logLinesWith(config, '"job":')) {
    if (job === undefined || err === undefined || !ids.has(job)) continue;
    if ((errors.get(job)?.time ?? '') <= time) errors.set(job, { time, message: err.message });
  }
  return new Map([...errors].map(([id, { message }]) => [id, message]));
}

function progressOf({ state, tries, attempts }: KeptJob, error: string | null): string {
  const at = `try ${tries} of ${attempts}`;
  const why = error === null ? '' : `: ${error}`;
  switch (state) {
    case 'waiting':
      return tries === 0 ? 'not started yet' : `${at} failed, the next one is due then${why}`;
    case 'active':
      return `${at} is under way`;
    case 'done':
      return `done at ${at}${error === null ? '' : `; before${why}`}`;
    case 'failed':
      return `given up after ${at}${why}`;
  }
}

async function jobsOf(
  { engines }: AppContext,
  events: readonly RecordedEvent[],
  notices: Notices,
): Promise<readonly RequestedJob[]> {
  try {
    const found: RequestedJob[] = [...(await findAddedJobs(engines.jobs, events))];
    for (const { jobId } of notices) {
      const job = await engines.jobs.find(queues.webhooks, jobId);
      if (job !== null) found.push({ job, event: null });
    }
    return found;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.engine !== 'Redis') throw error;
    sayNote(`Jobs are not shown: ${error.message}.`);
    return [];
  }
}

/**
 * The jobs of an order that wait, run, have failed, or needed more than one try. When Redis does not answer, a note
 * says that there are none: the rest of the story is known without it.
 */
async function jobEntries(
  context: AppContext,
  events: readonly RecordedEvent[],
  notices: Notices,
): Promise<readonly StoryEntry[]> {
  const found = await jobsOf(context, events, notices);
  const shown = found.filter(({ job }) => isWorthShowing(job));
  const tried = shown.filter(({ job: { tries } }) => tries > 0);
  const errors = lastErrors(context.config, new Set(tried.map(({ job: { id } }) => id)));
  return shown.map(({ job, event }): StoryEntry => {
    const { id, queue, state, tries, attempts, at } = job;
    const error = errors.get(id) ?? null;
    return {
      time: new Date(at).toISOString(),
      source: 'job',
      what: queue,
      who: null,
      requestId: event?.metadata.correlationId ?? null,
      traceId: null,
      details: progressOf(job, error),
      job: { id, state, tries, attempts, error },
    };
  });
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
    ...events.map((event) => eventEntry(event, currencyOf(event))),
    ...notices.map(noticeEntry),
    ...(await letterEntries(context, order, events)),
    ...(await jobEntries(context, events, notices)),
    ...lineEntries(context, order),
  ];
  return entries.toSorted((one, other) =>
    one.time < other.time ? -1 : one.time > other.time ? 1 : 0,
  );
}
