import {
  keySubject,
  type PayoutDestination,
  type ShareState,
  seller,
  streamNames,
} from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import { accountEnd, bankName } from '@oja/domain/rules/typed';
import { type PaymentFailure, streamOf, type VerifiedTransfer } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { pauseAfter } from '../../owed.js';
import { command, factId, followingOrder, loadOrder, nowOf, type OrderHandled } from '../order.js';
import { verifyDisputed, wasDisputed } from '../verify-payment.js';
import { isDisputedNow } from './disputed-payments.js';
import { endPayout, isOfPayout, recordLate, standingOf } from './payout-checks.js';

/** What was told the provider of a payout: the same reference must go with the same recipient. */
const SPACE = 'payouts';

type PayoutMemory = {
  /** Whose recipient this is. */
  readonly payoutId: string;
  readonly recipientCode: string | null;
  readonly failures: number;
  /** Epoch milliseconds: not to be tried before. */
  readonly notBefore: number;
  /** What the provider called it last; null before it was heard of. */
  readonly says?: string | null;
  /** Epoch milliseconds: when it was claimed to be sent last. */
  readonly sentAt?: number;
};

type Memories = Pick<Deps, 'state' | 'clock'>;
const keyOf = (transactionId: string, sellerId: string) => `${transactionId}/${sellerId}`;

interface KeptPayout {
  readonly memory: PayoutMemory;
  /** Null: nothing is stored. */
  readonly version: number | null;
}

/** What is remembered of a share's payout beside the log; null before its first try. */
export async function payoutMemory(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
): Promise<KeptPayout | null> {
  const key = keyOf(transactionId, sellerId);
  const entry = await state.get<PayoutMemory>(SPACE, key, clock.now());
  return entry && { memory: entry.value, version: entry.version };
}

/** Null when another process has changed it meanwhile: the payout is theirs to go on with. */
async function rememberPayout(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
  before: KeptPayout['version'],
  memory: PayoutMemory,
): Promise<KeptPayout | null> {
  const options = { if: before ?? ('absent' as const) };
  const key = keyOf(transactionId, sellerId);
  const version = await state.put(SPACE, key, memory, clock.now(), options);
  return version === null ? null : { memory, version };
}

export interface PayoutAccount {
  readonly name: string;
  readonly accountNumber: string;
  readonly bankCode: string;
}

/** Where a seller wants to be paid; null when they have not said, or were erased. */
export async function payoutAccountOf(
  { eventStore, sealer }: Pick<Deps, 'eventStore' | 'sealer'>,
  sellerId: string,
): Promise<PayoutAccount | null> {
  const stream = streamOf(seller, sellerId);
  let last = null;
  for await (const recorded of eventStore.readStream(stream)) {
    const event = seller.parse(recorded.type, recorded.data);
    if (event?.type === 'PayoutAccountSet') last = event.data;
  }
  if (last === null) return null;
  const [name, accountNumber, bankCode] = await sealer.openMany([
    { stream, field: 'accountName', value: last.accountName },
    { stream, field: 'accountNumber', value: last.accountNumber },
    { stream, field: 'bankCode', value: last.bankCode },
  ]);
  return name && accountNumber && bankCode ? { name, accountNumber, bankCode } : null;
}

/** Between two looks at a transfer that is under way, and after the first failure; doubled after each. */
const PAUSE_MS = 5 * MINUTE_MS;
/** So soon after it was claimed a transfer is sent, or not at all: a process may have stood still. */
export const SEND_WITHIN_MS = MINUTE_MS;

const shownOf = ({ accountNumber, bankCode }: PayoutAccount) => ({
  accountEnd: accountEnd(accountNumber),
  bankName: bankName(bankCode),
});

/** The command by which a transfer begins: the same until it has failed. */
async function requestTransfer(
  deps: Deps,
  transactionId: string,
  { sellerId, failedPayouts }: ShareState,
  to: PayoutAccount,
): Promise<OrderHandled> {
  const stream = streamNames.transaction(transactionId);
  const account = await deps.sealer.seal(keySubject('seller', sellerId), stream, shownOf(to));
  const method = 'transfer' as const;
  return command(
    deps,
    transactionId,
    { type: 'RequestPayout', sellerId, method, account, at: nowOf(deps) },
    followingOrder(
      factId('RequestPayout', transactionId, sellerId, failedPayouts, method),
      'sweep',
    ),
  );
}

/** So much of an account as its payout tells of it. */
export type ShownAccount = ReturnType<typeof shownOf>;

/** Where a payout that was asked for goes; null where that was not kept, or its seller was erased. */
export async function destinationOf(
  { sealer }: Pick<Deps, 'sealer'>,
  transactionId: string,
  account: PayoutDestination | null,
): Promise<ShownAccount | null> {
  if (account === null) return null;
  const stream = streamNames.transaction(transactionId);
  const [end, bank] = await sealer.openMany([
    { stream, field: 'accountEnd', value: account.accountEnd },
    { stream, field: 'bankName', value: account.bankName },
  ]);
  return end && bank ? { accountEnd: end, bankName: bank } : null;
}

/** Whether an account is what a payout tells of it. */
function isOfAccount(shown: ShownAccount, account: PayoutAccount): boolean {
  const now = shownOf(account);
  return now.accountEnd === shown.accountEnd && now.bankName === shown.bankName;
}

/** The share of a seller in an order; null when there is none. */
export async function shareOf(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<ShareState | null> {
  const order = await loadOrder(deps, transactionId);
  return order?.state.shares.find((share) => share.sellerId === sellerId) ?? null;
}

/**
 * Pays a released share by transfer, if transfers are on and the seller has said where to. A transfer's
 * reference is the payout's id, which the provider takes once: so it is looked for first, and sent only
 * where the provider has never heard of it. Whether the provider answered, if it was asked.
 */
export async function workPayout(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<boolean> {
  if (!deps.settings.payouts) return true;
  // Before the order is read: most sweeps come too early.
  const before = await payoutMemory(deps, transactionId, sellerId);
  if (before !== null && before.memory.notBefore > deps.clock.now()) return true;
  const share = await shareOf(deps, transactionId, sellerId);
  if (share?.status !== 'released' && share?.status !== 'payout-requested') return true;
  // What an operator has begun to pay by hand is theirs to finish.
  if (share.payoutMethod === 'manual') return true;
  const account = await payoutAccountOf(deps, sellerId);
  if (account === null) return true;
  if (share.status === 'released') {
    const isSafe = await isSafeToPay(deps, transactionId);
    if (isSafe !== true) return isSafe === 'wait';
  }

  const kept = { memory: memoryOf(before, share.payoutId ?? ''), version: before?.version ?? null };
  const asked = { transactionId, sellerId, amount: share.share, kept };
  if (share.payoutId === null && before !== null && before.memory.payoutId !== '') {
    const isOver = await earlierIsOver(deps, asked, before.memory.payoutId);
    if (isOver !== true) return isOver === 'told';
  }
  const payout = await requested(deps, transactionId, share, account);
  if (payout === null) return true;
  const { payoutId } = payout;
  const now = { ...asked, kept: { ...kept, memory: memoryOf(before, payoutId) } };
  const found = await deps.payments.verifyTransfer(payoutId);
  if (found.ok) return follow(deps, now, found.value);
  if (found.reason !== 'not-found') return later(deps, now, found);
  return send(deps, now, account, payout.account);
}

/** A payment that was disputed is looked at again first; while it may be taken back nothing is paid of it. */
async function isSafeToPay(deps: Deps, transactionId: string): Promise<true | 'wait' | 'silent'> {
  const before = await loadOrder(deps, transactionId);
  if (before === null || !wasDisputed(before.state)) return true;
  if (!(await verifyDisputed(deps, before.state))) return 'silent';
  const after = await loadOrder(deps, transactionId);
  if (after === null || after.state.reversed) return 'wait';
  return isDisputedNow(after.state.openDisputes, deps.clock.now()) ? 'wait' : true;
}

/** What is remembered of a share's payouts, for this one of them. */
function memoryOf(before: KeptPayout | null, payoutId: string): PayoutMemory {
  const { memory } = before ?? {};
  const isSame = memory?.payoutId === payoutId;
  return {
    payoutId,
    recipientCode: isSame ? memory.recipientCode : null,
    failures: memory?.failures ?? 0,
    notBefore: 0,
    says: isSame ? (memory.says ?? null) : null,
  };
}

/**
 * Whether the payout before this one can be followed by another: not while the provider may still pay
 * it, although somebody ended it here. 'silent': it did not answer.
 */
async function earlierIsOver(
  deps: Deps,
  asked: Transfer,
  payoutId: string,
): Promise<true | 'told' | 'silent'> {
  const found = await deps.payments.verifyTransfer(payoutId);
  if (!found.ok) return found.reason === 'not-found' ? true : 'silent';
  const standing = standingOf(found.value.status);
  if (standing === 'ended') return true;
  const memory = { ...asked.kept.memory, payoutId, says: found.value.status };
  const kept = { ...asked.kept, memory };
  if (standing !== 'arrived') {
    await remember(deps, { ...asked, kept }, { notBefore: deps.clock.now() + PAUSE_MS });
    return 'told';
  }
  await recordLate(deps, payoutId);
  return 'told';
}

interface AskedFor {
  readonly payoutId: string;
  readonly account: PayoutDestination | null;
}

/** The transfer that is asked for; null when it was not allowed (any more). */
async function requested(
  deps: Deps,
  transactionId: string,
  share: ShareState,
  to: PayoutAccount,
): Promise<AskedFor | null> {
  if (share.status === 'payout-requested') return askedFor(share);
  const handled = await requestTransfer(deps, transactionId, share, to);
  if (!handled.ok || handled.state.status === 'none') return null;
  const after = handled.state.shares.find(({ sellerId }) => sellerId === share.sellerId);
  return after?.payoutMethod === 'transfer' ? askedFor(after) : null;
}

const askedFor = ({ payoutId, payoutAccount }: ShareState): AskedFor | null =>
  payoutId === null ? null : { payoutId, account: payoutAccount };

interface Transfer {
  readonly transactionId: string;
  readonly sellerId: string;
  /** Kobo. */
  readonly amount: number;
  readonly kept: KeptPayout;
}

/** Sends one that the provider has never heard of. Whoever stood still after claiming it does not. */
async function send(
  deps: Deps,
  asked: Transfer,
  account: PayoutAccount,
  told: PayoutDestination | null,
): Promise<boolean> {
  const { transactionId, amount } = asked;
  const { payoutId } = asked.kept.memory;
  const sentAt = deps.clock.now();
  const claimed = await remember(deps, asked, { sentAt, notBefore: sentAt + SEND_WITHIN_MS });
  if (claimed === null) return true;
  const ours = { ...asked, kept: claimed };
  const isNew = claimed.memory.recipientCode === null;
  const shown = isNew ? await destinationOf(deps, transactionId, told) : null;
  if (shown !== null && !isOfAccount(shown, account)) {
    await endUnsent(deps, transactionId, payoutId);
    return true;
  }
  const recipient =
    claimed.memory.recipientCode === null
      ? await deps.payments.createRecipient(account)
      : { ok: true as const, value: { recipientCode: claimed.memory.recipientCode } };
  if (!recipient.ok) {
    if (recipient.reason === 'refused')
      await endPayout(deps, payoutId, 'ended', 'The bank details were refused');
    return later(deps, ours, recipient);
  }
  const { recipientCode } = recipient.value;
  const known = await remember(deps, ours, { recipientCode });
  if (known === null) return true;
  const now = { ...asked, kept: known };
  if (deps.clock.now() > sentAt + SEND_WITHIN_MS) return true;
  const answer = await deps.payments.transfer({
    amount,
    recipientCode,
    reference: payoutId,
    reason: `Oja order ${transactionId}`,
  });
  if (answer.ok)
    return follow(deps, now, { reference: payoutId, amount, status: answer.value.status });
  if (answer.reason !== 'duplicate-reference') return later(deps, now, answer);
  const found = await deps.payments.verifyTransfer(payoutId);
  return found.ok ? follow(deps, now, found.value) : later(deps, now, found);
}

/** The bank details were changed before it was sent, by whoever has claimed it: the next says where it goes now. */
const endUnsent = (deps: Deps, transactionId: string, payoutId: string) =>
  command(
    deps,
    transactionId,
    {
      type: 'FailPayout',
      payoutId,
      reason: 'The bank details were changed before it was sent',
      givenUp: true,
      at: nowOf(deps),
    },
    followingOrder(factId('FailPayout', payoutId), 'sweep'),
  );

/** Goes by what the provider says of it. What waits for somebody there is told, and looked at again. */
async function follow(deps: Deps, asked: Transfer, told: VerifiedTransfer): Promise<boolean> {
  const { payoutId } = asked.kept.memory;
  const { status: says } = told;
  if (!isOfPayout(told, payoutId, asked.amount)) {
    deps.logger.error({ payoutId, told }, 'a transfer is not of what was asked for');
    await pause(deps, asked, says);
    return true;
  }
  const standing = standingOf(says);
  switch (standing) {
    case 'arrived':
      return endPayout(deps, payoutId, standing, `transfer.${says}`);
    case 'ended':
      await endPayout(deps, payoutId, standing, `transfer.${says}`);
      await pause(deps, asked, says);
      return true;
    case 'waits':
    case 'on-its-way':
      if (standing === 'waits')
        deps.logger.error({ payoutId, status: says }, 'a transfer waits for somebody');
      await remember(deps, asked, { says, notBefore: deps.clock.now() + PAUSE_MS });
      return true;
  }
}

/** A provider that is away is asked again by the next sweep; one that says no, after a pause. */
async function later(deps: Deps, asked: Transfer, failure: PaymentFailure): Promise<boolean> {
  const { payoutId } = asked.kept.memory;
  deps.logger.warn({ payoutId, reason: failure.reason }, 'a payout could not be made');
  if (failure.reason === 'unreachable') return false;
  await pause(deps, asked, asked.kept.memory.says ?? null);
  return failure.reason !== 'rate-limited';
}

async function pause(deps: Deps, asked: Transfer, says: string | null): Promise<void> {
  const { failures } = asked.kept.memory;
  const notBefore = deps.clock.now() + pauseAfter(failures, PAUSE_MS);
  await remember(deps, asked, { failures: failures + 1, notBefore, says });
}

const remember = (
  deps: Deps,
  { transactionId, sellerId, kept }: Transfer,
  change: Partial<PayoutMemory>,
): Promise<KeptPayout | null> =>
  rememberPayout(deps, transactionId, sellerId, kept.version, { ...kept.memory, ...change });
