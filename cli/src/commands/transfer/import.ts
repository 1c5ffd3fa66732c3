import { isWrittenAbout, type MoneyLetterKind } from '@oja/contracts/models';
import { SELLER_NEWS_MS } from '@oja/domain';
import type { AppendResult, EventStore, Position } from '@oja/platform';
import {
  endPassingOver,
  forgoContact,
  forgoLetter,
  forgoLetters,
  forgoNews,
  isPassingOver,
  passOver,
  skipReactionsTo,
} from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { hasStream } from '../shared/streams.js';
import type { Line } from './export.js';
import { createPlaces, cutsOf } from './places.js';

/** An export beside the log that it is to be brought into. */
interface Compared {
  /** Events that would be added. */
  readonly added: number;
  /** Events that are there already. */
  readonly known: number;
  /** Events of the log that are not in the export. */
  readonly beyond: number;
}

/**
 * Looks at every event of an export before the first is appended.
 * @throws Exit 1 naming the first stream that holds another event; nothing has happened then.
 */
export async function compareWithLog(
  eventStore: Pick<EventStore, 'readAll'>,
  events: AsyncIterable<Line>,
  signal: AbortSignal,
): Promise<Compared> {
  const there = new Map<string, string[]>();
  let all = 0;
  for await (const { stream, id } of eventStore.readAll({ after: null })) {
    const ids = there.get(stream);
    if (ids === undefined) there.set(stream, [id]);
    else ids.push(id);
    all += 1;
    signal.throwIfAborted();
  }
  let [added, known] = [0, 0];
  for await (const { stream, revision, id } of events) {
    const found = there.get(stream)?.[revision];
    if (found !== undefined && found !== id)
      throw new Exit(
        exitCodes.failed,
        `The stream ${stream} holds another event at revision ${revision}: this market is not the one the export came from, nor a copy of it. Nothing was imported.`,
      );
    if (found === undefined) added += 1;
    else known += 1;
    signal.throwIfAborted();
  }
  return { added, known, beyond: all - known };
}

type Imported = Exclude<Answer<'import'>, { readonly dryRun: true }>;

/** What an export is brought into. */
interface Target extends Pick<AppContext, 'clock'> {
  readonly engines: Pick<AppContext['engines'], 'eventStore' | 'state'>;
}

/** Events under way at once: the writer commits them together, in their order. */
const BATCH = 200;

/** What the support is written to about. */
const moneyLetters: Readonly<Record<string, MoneyLetterKind>> = {
  PaymentMismatched: 'held-aside',
  PaymentReversed: 'taken-back',
  RefundFailed: 'refund-failed',
  PayoutDoubled: 'paid-twice',
};

/** Nobody is written to about what happened elsewhere. Before its first event is there to react to. */
async function forgo({ engines, clock }: Target, line: Line): Promise<void> {
  const { id, type, stream, data, metadata } = line;
  const { state } = engines;
  const now = clock.now();
  const money = moneyLetters[type];
  if (money !== undefined && typeof data.transactionId === 'string') {
    await forgoLetter(state, money, data.transactionId, now);
    // A further payment that was held aside, or a payout too many, has a letter of its own.
    const item = data.refundId ?? data.payoutId;
    if (typeof item === 'string')
      for (const kind of [money, ...(money === 'held-aside' ? (['sold-out'] as const) : [])])
        await forgoLetter(state, kind, `${data.transactionId}/${item}`, now);
  }
  if (type === 'ReceiptRequested')
    await forgoLetter(state, 'receipt-again', `${data.transactionId}/${data.requestId}`, now);
  if (type === 'SellerEmailAsked')
    await forgoLetter(state, 'email-code', `${data.sellerId}/${data.ask}`, now);
  if (isWrittenAbout(type) && now - Date.parse(metadata.time) < SELLER_NEWS_MS)
    await forgoNews(state, id, now);
  if (type !== 'OrderPlaced' && type !== 'ContactMessageReceived') return;
  // What this market has had before keeps its letters.
  if (await hasStream(engines.eventStore, stream)) return;
  const { transactionId, contactId } = data;
  if (typeof transactionId === 'string') await forgoLetters(state, transactionId, now);
  if (typeof contactId === 'string') await forgoContact(state, contactId, now);
}

const conflictOf = ({ stream, revision }: Line) =>
  new Exit(
    exitCodes.failed,
    `The stream ${stream} has got another event at revision ${revision} meanwhile; what stands before it was imported.`,
  );

/** What is imported. */
interface Importing {
  /** Read more than once, in their order each time. */
  events(): AsyncIterable<Line>;
  /** Whether the letters of it are never to be sent: they are unless what was sent comes with it. */
  readonly forgoes: boolean;
  /** Whether it was compared with this log already, which nobody has written to since. */
  readonly isCompared: boolean;
}

/**
 * Appends an export's events in their order, each as it was recorded: what is there already is left
 * alone, so that a killed import is finished by the next one. Reactions pass over all of it.
 * @throws Exit 1 for the export of another market, before anything is appended.
 */
export async function importLog(
  context: Target,
  { events, forgoes, isCompared }: Importing,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Imported> {
  const { engines, clock } = context;
  const { eventStore, state } = engines;
  if (!isCompared) await compareWithLog(eventStore, events(), signal);
  const before = await eventStore.head();
  const places = createPlaces();
  let [added, done] = [0, 0];
  let batch: Line[] = [];

  async function append(event: Line): Promise<AppendResult> {
    const { stream, revision, position: _, ...rest } = places.moved(event);
    return eventStore.append(stream, revision === 0 ? 'no-stream' : revision - 1, [rest]);
  }

  /** Streams beside each other, the events of one after each other: some engines have several ways in. */
  function appendAll(): Promise<readonly AppendResult[]> {
    const last = new Map<string, Promise<AppendResult>>();
    return Promise.all(
      batch.map((event) => {
        const before = last.get(event.stream);
        const appended = before === undefined ? append(event) : before.then(() => append(event));
        last.set(event.stream, appended);
        return appended;
      }),
    );
  }

  async function flush(): Promise<void> {
    const ids = batch.map(({ id }) => id);
    await passOver(state, ids, clock.now());
    if (forgoes) for (const event of batch) await forgo(context, event);
    const results = await appendAll();
    let last: Position | null = null;
    results.forEach((result, i) => {
      const event = batch[i];
      if (event === undefined) throw new Error('no such event');
      if (!result.ok) throw conflictOf(event);
      places.add(event, result.position);
      if (before !== null && result.position <= before) return;
      added += 1;
      if (last === null || result.position > last) last = result.position;
    });
    if (last !== null) await skipReactionsTo(eventStore, state, last, clock.now());
    done += batch.length;
    onProgress(done);
    batch = [];
    signal.throwIfAborted();
  }

  // What a killed import has appended last is passed over before this one says anything of its own.
  if (before !== null && (await isPassingOver(state, clock.now())))
    await skipReactionsTo(eventStore, state, before, clock.now());
  const cutBefore = await cutsOf(events());
  for await (const event of events()) {
    if (cutBefore(event) && batch.length > 0) await flush();
    batch.push(event);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  await endPassingOver(state);
  return { added, known: done - added };
}
