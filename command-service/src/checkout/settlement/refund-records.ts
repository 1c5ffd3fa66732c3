import type { PlacedOrder, RefundState } from '@oja/domain';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import type { Refund } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { pauseAfter } from '../../owed.js';
import { command, factId, followingOrder, loadOrder, nowOf } from '../order.js';

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

export interface Remembered {
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
export async function rememberRefund(
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
export async function isTimeToLook({ state, clock }: Memories, refundId: string): Promise<boolean> {
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

/** After the provider first could not or would not give money back; doubled after each time. */
export const AGAIN_MS = HOUR_MS;

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

interface Found {
  readonly before: Remembered;
  /** Null: the provider has none that is ours. */
  readonly theirs: Refund | null;
}

/** How one of our refunds stands at the provider; null: it does not answer. */
export async function lookFor(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
): Promise<Found | null> {
  const { transactionId } = order;
  const { refundId, providerId } = refund;
  // Known before the list is: whoever stood still since then is refused the claim, its list being an old one.
  const memories = await refundMemories(deps, transactionId);
  // Refunds have no key of their own: what was asked for already is found before asking.
  const listed = await deps.payments.refunds(providerId);
  if (!listed.ok) {
    deps.logger.warn({ refundId, reason: listed.reason }, 'the refunds of a payment are not known');
    return null;
  }
  await lookedAt(deps, refundId);
  const before = memories.get(refundId) ?? { memory: NOTHING_ASKED, version: null };
  const others = await takenForOthers(deps, transactionId, refundId);
  const free = listed.value.filter(({ id }) => !others.has(id));
  return { before, theirs: ours(free, order, refund, before, memories) };
}

/** Takes note of one that was asked for, and of its end where it has one. */
export async function follow(
  deps: Deps,
  transactionId: string,
  { refundId, amount: asked }: RefundState,
  before: Remembered,
  theirs: Refund,
): Promise<boolean> {
  const { memory } = before;
  if (theirs.amount !== asked) {
    const { id, amount } = theirs;
    deps.logger.error({ refundId, id, amount }, 'a refund is not of the amount that was asked');
    return true;
  }
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
export const failedOnce = ({ clock }: Deps, memory: RefundMemory): RefundMemory => ({
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
export async function fail(
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

/** Those that have not ended as they were to: what was given up, or became void, may still have been given. */
export const openRefunds = ({ refunds }: PlacedOrder): readonly RefundState[] =>
  refunds.filter(({ status }) => status !== 'completed');

/**
 * Records which refunds of an order the provider has ended, and asks for none. What was given back must be known before
 * what a bank took back is judged. Whether the provider answered.
 */
export async function recordEndedRefunds(deps: Deps, transactionId: string): Promise<boolean> {
  const order = await loadOrder(deps, transactionId);
  let answered = true;
  for (const refund of order === null ? [] : openRefunds(order.state)) {
    const found = order && (await lookFor(deps, order.state, refund));
    if (found === null) answered = false;
    else if (found.theirs !== null)
      answered =
        (await follow(deps, transactionId, refund, found.before, found.theirs)) && answered;
  }
  return answered;
}
