import { isNewsLetterEvent, isSecurityEvent, type MoneyLetterKind } from '@oja/contracts/models';
import { SELLER_NEWS_MS } from '@oja/domain';
import type { AppendResult, EventStore, Position } from '@oja/platform';
import {
  declareImported,
  endImportDeclaration,
  hasImportDeclaration,
  skipReactionsTo,
  suppressLetter,
  suppressLetters,
} from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { failedExit } from '../../terminal/exit.js';
import { hasStream } from '../shared/named.js';
import type { Line } from './export.js';
import { batchBoundaries, createPositionMap } from './position-map.js';

/** The comparison of an export with the log that it is imported into. */
export interface Compared {
  /** Events that would be added. */
  readonly added: number;
  /** Events that the log has already. */
  readonly known: number;
  /** Events of the log that are not in the export. */
  readonly beyond: number;
}

/**
 * Compares every event of an export with the log; only reads.
 * @throws Exit 1 naming the first stream that holds another event at the same revision.
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
      throw failedExit(
        `The stream ${stream} holds another event at revision ${revision}: this market is not the one the export came from, nor a copy of it. Nothing was imported.`,
      );
    if (found === undefined) added += 1;
    else known += 1;
    signal.throwIfAborted();
  }
  return { added, known, beyond: all - known };
}

/** What an import would find, besides the comparison: the ids of the export's log and of this market's. */
interface Origins {
  readonly exported: string;
  readonly here: string;
}

/**
 * Refuses to mix two markets. They are two when the logs have other ids and each has events that the other lacks: two
 * that never had to do with each other, or that went on separately, as a market and a copy of it. Sample goods are the
 * same events in every market, so events in common prove nothing. A copy that only follows lacks nothing of its own.
 * @throws Exit 1 naming both logs.
 */
export function refuseOtherMarket(
  { exported, here }: Origins,
  { added, known, beyond }: Compared,
): void {
  if (exported === here || beyond === 0 || added === 0) return;
  const shared =
    known === 0 ? 'none of its events' : `only ${known} of its ${known + added} events`;
  throw failedExit(
    `This is the export of another market: its log is ${exported}, and the log here is ${here} and has ${shared}, but ${beyond} of its own. Nothing was imported. Import it into an empty place: set DATA_DIR to a new folder.`,
  );
}

type Imported = Exclude<Answer<'import'>, { readonly dryRun: true }>;

/** The parts of a market that an import writes to. */
export interface ImportTarget extends Pick<AppContext, 'clock'> {
  readonly engines: Pick<AppContext['engines'], 'eventStore' | 'state'>;
}

/** Events appended concurrently: the writer commits them together, in their order. */
const BATCH = 200;

/** Events that cause a letter to the support, and the letter's kind. */
const moneyLetters: Readonly<Record<string, MoneyLetterKind>> = {
  PaymentMismatched: 'held-aside',
  PaymentDisputed: 'disputed',
  PaymentReversed: 'taken-back',
  PaymentReturnedInPart: 'returned-in-part',
  RefundFailed: 'refund-failed',
  PayoutDoubled: 'paid-twice',
};

/** Marks the letters about an imported event as settled, so that nobody is mailed about it; before it is appended. */
async function suppressLetterOf({ engines, clock }: ImportTarget, line: Line): Promise<void> {
  const { id, type, stream, data, metadata } = line;
  const { state } = engines;
  const now = clock.now();
  const money = moneyLetters[type];
  if (money !== undefined && typeof data.transactionId === 'string') {
    await suppressLetter(state, money, data.transactionId, now);
    // Each further payment held aside, each dispute and each double payout has a letter of its own.
    const item = data.refundId ?? data.disputeId ?? data.payoutId;
    if (typeof item === 'string')
      for (const kind of [money, ...(money === 'held-aside' ? (['sold-out'] as const) : [])])
        await suppressLetter(state, kind, `${data.transactionId}/${item}`, now);
  }
  if (type === 'ReceiptRequested')
    await suppressLetter(state, 'receipt-again', `${data.transactionId}/${data.requestId}`, now);
  if (type === 'SellerEmailAsked')
    await suppressLetter(state, 'email-code', `${data.sellerId}/${data.ask}`, now);
  if (type === 'SellerEmailConfirmed' || type === 'SellerEmailRemoved')
    await suppressLetter(state, 'address-left', `${data.sellerId}/${id}`, now);
  if (isSecurityEvent(type))
    await suppressLetter(state, 'seller-warning', `${data.sellerId}/${id}`, now);
  if (isNewsLetterEvent(type) && now - Date.parse(metadata.time) < SELLER_NEWS_MS)
    await suppressLetter(state, 'seller-news', id, now);
  if (type !== 'OrderPlaced' && type !== 'ContactMessageReceived') return;
  // A stream that this market had before the import keeps its letters.
  if (await hasStream(engines.eventStore, stream)) return;
  const { transactionId, contactId } = data;
  if (typeof transactionId === 'string') await suppressLetters(state, transactionId, now);
  if (typeof contactId === 'string') await suppressLetter(state, 'contact', contactId, now);
}

const conflictExit = ({ stream, revision }: Line) =>
  failedExit(
    `The stream ${stream} has got another event at revision ${revision} meanwhile; what stands before it was imported.`,
  );

/** An import. */
interface Importing {
  /** The events, in the same order at every call; it is called several times. */
  events(): AsyncIterable<Line>;
  /** Whether letters about an event are never sent, since nobody here knows whether they were. */
  readonly suppressesLetter: (event: Line) => boolean;
  /** Whether no process can open the market before the import has ended; its caller then moves the reactions. */
  readonly isClosed: boolean;
}

/**
 * Appends the events of an export, each as it was recorded and those of a stream in order. `compareWithLog` must have
 * passed before. Events that exist already are left alone, so running it again finishes a killed import. No reactions run
 * for imported events.
 * @throws Exit 1 when another writer interferes.
 */
export async function importLog(
  context: ImportTarget,
  { events, suppressesLetter, isClosed }: Importing,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Imported> {
  const { engines, clock } = context;
  const { eventStore, state } = engines;
  const before = await eventStore.head();
  const positions = createPositionMap();
  let [added, done] = [0, 0];
  let batch: Line[] = [];

  async function append(event: Line): Promise<AppendResult> {
    const { stream, revision, position: _, ...rest } = positions.translate(event);
    return eventStore.append(stream, revision === 0 ? 'no-stream' : revision - 1, [rest]);
  }

  /** Appends to different streams concurrently, but to one stream in sequence: some engines use several connections. */
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
    if (!isClosed) await declareImported(state, ids, clock.now());
    for (const event of batch) if (suppressesLetter(event)) await suppressLetterOf(context, event);
    const results = await appendAll();
    let last: Position | null = null;
    results.forEach((result, i) => {
      const event = batch[i];
      if (event === undefined) throw new Error('no such event');
      if (!result.ok) throw conflictExit(event);
      positions.add(event, result.position);
      if (before !== null && result.position <= before) return;
      added += 1;
      if (last === null || result.position > last) last = result.position;
    });
    if (last !== null && !isClosed) await skipReactionsTo(eventStore, state, last, clock.now());
    done += batch.length;
    onProgress(done);
    batch = [];
    signal.throwIfAborted();
  }

  // A killed import may have appended events that reactions have not passed yet: let them pass those first.
  if (before !== null && !isClosed && (await hasImportDeclaration(state, clock.now())))
    await skipReactionsTo(eventStore, state, before, clock.now());
  const cutBefore = await batchBoundaries(events());
  for await (const event of events()) {
    if (cutBefore(event) && batch.length > 0) await flush();
    batch.push(event);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  if (!isClosed) await endImportDeclaration(state);
  return { added, known: done - added };
}
