import type { PlacedOrder, RefundState } from '@oja/domain';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import type { Refund } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, followingOrder, nowOf } from '../commands.js';
import { loadOrder } from '../order.js';
import { verifyPayment } from '../verify-payment.js';
import { pauseAfter } from './pause.js';

/** Which of the provider's refunds is ours, and when it was asked for; lost, it is found by amount. */
const SPACE = 'refunds';

type RefundMemory = {
  /** The provider's id of it; null until its answer came. */
  readonly providerRefundId: string | null;
  /** Those that the provider gave up. */
  readonly failedIds: readonly string[];
  /** How often the provider refused it or gave it up. */
  readonly failures: number;
  /** Epoch milliseconds: not to be asked for before. */
  readonly notBefore: number;
};

const NOTHING_ASKED: RefundMemory = {
  providerRefundId: null,
  failedIds: [],
  failures: 0,
  notBefore: 0,
};

interface Remembered {
  readonly memory: RefundMemory;
  /** Null: nothing is stored. */
  readonly version: number | null;
}

type Memories = Pick<Deps, 'state' | 'clock'>;

/** Of every refund of an order, by refund id. */
async function refundMemories(
  { state, clock }: Memories,
  transactionId: string,
): Promise<ReadonlyMap<string, Remembered>> {
  const prefix = `${transactionId}/`;
  const entries = await state.list<RefundMemory>(SPACE, prefix, clock.now());
  return new Map(
    entries.map(({ key, value, version }) => [
      key.slice(prefix.length),
      { memory: { ...NOTHING_ASKED, ...value }, version },
    ]),
  );
}

/** Whether it is stored: not when another process has changed it meanwhile. */
async function rememberRefund(
  { state, clock }: Memories,
  transactionId: string,
  refundId: string,
  before: Remembered,
  memory: RefundMemory,
): Promise<Remembered | null> {
  const key = `${transactionId}/${refundId}`;
  const only = before.version ?? 'absent';
  const version = await state.put(SPACE, key, memory, clock.now(), { if: only });
  return version === null ? null : { memory, version };
}

/** Which of our refunds each of the provider's is taken for. */
const TAKEN = 'refunds-taken';

/** Takes one of the provider's refunds for one of ours, for good; false: it is taken for another. */
async function isOursAlone(
  { state, clock }: Memories,
  transactionId: string,
  providerRefundId: string,
  refundId: string,
): Promise<boolean> {
  const key = `${transactionId}/${providerRefundId}`;
  const now = clock.now();
  if ((await state.put(TAKEN, key, { refundId }, now, { if: 'absent' })) !== null) return true;
  return (await state.get(TAKEN, key, now))?.value.refundId === refundId;
}

/** Those of the provider's refunds of an order that are taken for others of ours. */
async function takenForOthers(
  { state, clock }: Memories,
  transactionId: string,
  refundId: string,
): Promise<ReadonlySet<string>> {
  const prefix = `${transactionId}/`;
  const taken = await state.list(TAKEN, prefix, clock.now());
  const others = taken.filter(({ value }) => value.refundId !== refundId);
  return new Set(others.map(({ key }) => key.slice(prefix.length)));
}

/** How often the provider was asked how a refund stands, and when a sweep asks again. */
const LOOKS = 'refund-looks';
/** Between the first two looks of a sweep at a refund that is under way; doubled after each. */
const LOOK_MS = MINUTE_MS;
const LOOK_AT_MOST_MS = HOUR_MS;

type Looks = {
  readonly times: number;
  /** Epoch milliseconds. */
  readonly next: number;
};

/** Whether a sweep that has heard nothing new looks now: a refund takes days, and there may be many. */
async function isTimeToLook({ state, clock }: Memories, refundId: string): Promise<boolean> {
  const now = clock.now();
  return ((await state.get<Looks>(LOOKS, refundId, now))?.value.next ?? now) <= now;
}

async function lookedAt({ state, clock }: Memories, refundId: string): Promise<void> {
  const now = clock.now();
  const times = (await state.get<Looks>(LOOKS, refundId, now))?.value.times ?? 0;
  const wait = Math.min(LOOK_MS * 2 ** times, LOOK_AT_MOST_MS);
  const looks: Looks = { times: times + 1, next: now + wait };
  await state.put(LOOKS, refundId, looks, now, { expiresAt: now + DAY_MS });
}

/**
 * After asking without an answer. The list is looked at all the while; that something is still not on
 * it proves that it was not heard only when no call could be under way any more, however slow.
 */
const UNHEARD_MS = DAY_MS;
/** So soon after it was claimed a refund is asked for, or not at all: a process may have stood still. */
const ASK_WITHIN_MS = MINUTE_MS;
/** After the provider first could not or would not give money back; doubled after each time. */
const AGAIN_MS = HOUR_MS;

/**
 * Brings the refunds of an order as far as they can be brought now: asks for those that were not asked
 * for, and records those that have ended. Whether the provider answered; what is still on its way is
 * looked at again by the next notice or sweep.
 *
 * `ask`: false only records what has ended. `news`: false where nothing says that anything has changed:
 * a refund that takes days is looked at ever less often then.
 */
export async function workRefunds(
  deps: Deps,
  transactionId: string,
  { ask: mayAsk = true, news = true }: { readonly ask?: boolean; readonly news?: boolean } = {},
): Promise<boolean> {
  const order = await loadOrder(deps, transactionId);
  const open = order?.state.refunds.filter(({ status }) => status !== 'completed') ?? [];
  let answered = true;
  for (const refund of open)
    if (order !== null)
      answered = (await workRefund(deps, order.state, refund, { mayAsk, news })) && answered;
  return answered;
}

interface How {
  readonly mayAsk: boolean;
  readonly news: boolean;
}

async function workRefund(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
  { mayAsk, news }: How,
): Promise<boolean> {
  const { transactionId } = order;
  const { refundId, providerId } = refund;
  if (!news && !(await isTimeToLook(deps, refundId))) return true;
  // Known before the list is: whoever stood still since then is refused the claim, its list being an old one.
  const memories = await refundMemories(deps, transactionId);
  // Refunds have no key of their own: what was asked for already is found before asking.
  const listed = await deps.payments.refunds(providerId);
  if (!listed.ok) {
    deps.logger.warn({ refundId, reason: listed.reason }, 'the refunds of a payment are not known');
    return false;
  }
  await lookedAt(deps, refundId);
  const before = memories.get(refundId) ?? { memory: NOTHING_ASKED, version: null };
  const others = await takenForOthers(deps, transactionId, refundId);
  const free = listed.value.filter(({ id }) => !others.has(id));
  const theirs = ours(free, order, refund, before, memories);
  // After a chargeback nothing more is asked for; what was asked for before may still arrive.
  if (theirs === null)
    return !mayAsk || refund.status === 'void' || ask(deps, order, refund, before);
  if (theirs.amount !== refund.amount) {
    const { id, amount } = theirs;
    deps.logger.error({ refundId, id, amount }, 'a refund is not of the amount that was asked');
    return true;
  }
  return follow(deps, transactionId, refund, before, theirs);
}

/**
 * The provider's refund that is this one: by its id, else by the note that it was asked for with, else
 * one of the same amount that is nobody's.
 */
function ours(
  listed: readonly Refund[],
  order: PlacedOrder,
  refund: RefundState,
  { memory }: Remembered,
  memories: ReadonlyMap<string, Remembered>,
): Refund | null {
  const known = listed.find(({ id }) => id === memory.providerRefundId);
  if (known !== undefined) return known;
  const taken = new Set(
    [...memories.values()].flatMap((other) => [
      ...other.memory.failedIds,
      ...(other.memory.providerRefundId === null ? [] : [other.memory.providerRefundId]),
    ]),
  );
  const free = listed.filter(({ id, status }) => status !== 'failed' && !taken.has(id));
  const noted = free.find(({ note }) => note === refund.refundId);
  if (noted !== undefined || refund.status === 'void') return noted ?? null;
  const noteOfOurs = new Set<string | null>(order.refunds.map(({ refundId }) => refundId));
  const isFree = ({ amount, note }: Refund) => amount === refund.amount && !noteOfOurs.has(note);
  return free.find(isFree) ?? null;
}

/**
 * Remembers first that it asks, so that of two at once only one does; whoever finds after that that
 * the claim is not fresh any more does not ask.
 */
async function ask(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
  before: Remembered,
): Promise<boolean> {
  const { transactionId } = order;
  const { refundId, providerId, amount } = refund;
  const now = deps.clock.now();
  if (before.memory.notBefore > now) return true;
  const asking = { ...before.memory, providerRefundId: null, notBefore: now + UNHEARD_MS };
  const claimed = await rememberRefund(deps, transactionId, refundId, before, asking);
  if (claimed === null) return true;
  if (deps.clock.now() > now + ASK_WITHIN_MS) {
    await rememberRefund(deps, transactionId, refundId, claimed, before.memory);
    return true;
  }

  const answer = await deps.payments.refund({ transaction: providerId, amount, note: refundId });
  if (answer.ok) return follow(deps, transactionId, refund, claimed, answer.value);
  deps.logger.warn({ refundId, reason: answer.reason }, 'a refund was not taken');
  if (answer.reason === 'unreachable') return false;
  // To be too busy to answer is no failure: it is asked again after the first pause.
  const isBusy = answer.reason === 'rate-limited';
  const later = isBusy
    ? { ...asking, notBefore: deps.clock.now() + AGAIN_MS }
    : failedOnce(deps, asking);
  await rememberRefund(deps, transactionId, refundId, claimed, later);
  if (answer.reason === 'refused') await refused(deps, order, refund, answer.message);
  return !isBusy;
}

/**
 * Of a payment that the cardholder's bank took back meanwhile there is nothing left to give, be it the
 * order's own or one held aside: what follows from that is recorded as it is verified. Anything else
 * that the provider refuses is a failure.
 */
async function refused(
  deps: Deps,
  { transactionId, payment, mismatched }: PlacedOrder,
  { refundId, providerId }: RefundState,
  reason: string,
): Promise<void> {
  const paid = [payment, ...mismatched].find((each) => each?.providerId === providerId);
  const told = paid && (await verifyPayment(deps, paid.reference, 'check', { again: true }));
  if (told?.kind !== 'told' || told.status !== 'reversed')
    await fail(deps, transactionId, refundId, reason);
}

async function follow(
  deps: Deps,
  transactionId: string,
  { refundId }: RefundState,
  before: Remembered,
  theirs: Refund,
): Promise<boolean> {
  const { memory } = before;
  // Two refunds of an order may be of one amount, and the provider need not keep our notes.
  if (!(await isOursAlone(deps, transactionId, theirs.id, refundId))) return true;
  if (theirs.status === 'failed') {
    const failedIds = [...memory.failedIds, theirs.id];
    const after = failedOnce(deps, { ...memory, providerRefundId: null, failedIds });
    await rememberRefund(deps, transactionId, refundId, before, after);
    await fail(deps, transactionId, refundId, 'The provider could not give the money back');
    return true;
  }
  if (memory.providerRefundId !== theirs.id)
    await rememberRefund(deps, transactionId, refundId, before, {
      ...memory,
      providerRefundId: theirs.id,
    });
  if (theirs.status === 'needs-attention')
    deps.logger.error({ refundId }, 'a refund needs an admin at the provider');
  if (theirs.status === 'processed') await complete(deps, transactionId, refundId);
  return true;
}

/** What is refused for good is asked for ever less often, never given up: the buyer is owed it. */
const failedOnce = ({ clock }: Deps, memory: RefundMemory): RefundMemory => ({
  ...memory,
  failures: memory.failures + 1,
  notBefore: clock.now() + pauseAfter(memory.failures, AGAIN_MS),
});

async function complete(deps: Deps, transactionId: string, refundId: string): Promise<void> {
  await command(
    deps,
    transactionId,
    { type: 'CompleteRefund', refundId, at: nowOf(deps) },
    followingOrder(factId('CompleteRefund', transactionId, refundId), 'paystack'),
  );
}

/** It stays owed, and is asked for again. */
async function fail(
  deps: Deps,
  transactionId: string,
  refundId: string,
  reason: string,
): Promise<void> {
  deps.logger.error({ refundId, reason }, 'a refund has failed');
  await command(
    deps,
    transactionId,
    { type: 'FailRefund', refundId, reason, at: nowOf(deps) },
    followingOrder(factId('FailRefund', transactionId, refundId), 'paystack'),
  );
}
