import { removeRecord } from '@oja/command-service';
import { type TransactionDocument, transactions } from '@oja/contracts/models';
import {
  isOwedRefund,
  mayBeRestored,
  OPERATOR,
  receivedStatus,
  streamNames,
  transaction,
} from '@oja/domain';
import { allOf } from '@oja/platform';
import { v5 } from 'uuid';
import { commandDeps } from '../runtime/command-deps.js';
import { type AppContext, withContext } from '../runtime/context.js';
import { confirmChange, operatorContext } from '../runtime/operator.js';
import type { ConfirmOptions } from '../terminal/confirm.js';
import { exitCodes, failedExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { type Output, paint, plural, printAnswer } from '../terminal/output.js';
import { type Progress, withProgress } from '../terminal/progress.js';
import { parseMoment } from '../terminal/times.js';
import { truncateWals } from './erase/erase.js';
import { liveDocuments } from './shared/live-documents.js';
import { removeLeftKeys } from './shared/temporary-folder.js';
import { waitForModels } from './shared/wait-for-models.js';

interface Options extends Output, ConfirmOptions {
  readonly before?: string;
  readonly dryRun?: boolean;
}

const AT_ONCE = 4;
/** UUID namespace of the command ids, which follow from the order ids: a second run removes nothing twice. */
const NAMESPACE = 'd9be0c2f-0d5b-4c1e-9a60-6a4de0f1c7a3';

/**
 * When the last of an order's shares was settled, so that it is delivered (ISO 8601); null when it is not. The read model
 * knows no such time: the buyer may never have confirmed, or have complained about some of the goods.
 */
async function settledAt({ engines }: AppContext, id: string): Promise<string | null> {
  let state = transaction.initial;
  let since: string | null = null;
  for await (const { type, data } of engines.eventStore.readStream(streamNames.transaction(id))) {
    const event = transaction.parse(type, data);
    if (event === null) continue;
    state = transaction.evolve(state, event);
    const isDelivered = state.status === 'placed' && receivedStatus(state.shares) === 'DELIVERED';
    since = isDelivered ? (since ?? String(data.at)) : null;
  }
  return since;
}

/** Whether a delivered order was delivered before a moment, which is in ISO 8601. */
async function isDeliveredBefore(
  context: AppContext,
  { transactionId, deliveredAt, paidAt, placedAt, shares }: TransactionDocument,
  before: string,
): Promise<boolean> {
  if ((deliveredAt ?? paidAt ?? placedAt) >= before) return false;
  // A 'Yes' settles all that is not complained about.
  if (deliveredAt !== null && shares.every(({ complaint }) => complaint === null)) return true;
  const at = await settledAt(context, transactionId);
  return at !== null && at < before;
}

/**
 * Ids of delivered orders whose buyer is still known and no longer needed; with `before` (ISO 8601), only those
 * delivered before it.
 */
async function findDelivered(
  context: AppContext,
  before: string | null,
): Promise<readonly string[]> {
  const delivered = liveDocuments<TransactionDocument>(context, transactions, 'transactions', {
    filter: [
      { field: 'received', op: 'eq', value: 'DELIVERED' },
      { field: 'removed', op: 'eq', value: false },
    ],
  });
  const ids: string[] = [];
  for await (const { id, document } of delivered) {
    if (before !== null && !(await isDeliveredBefore(context, document, before))) continue;
    const isTakenBack = document.status === 'reversed';
    if (isTakenBack && mayBeRestored((await context.commands.load(transaction, id)).state))
      continue;
    if (document.refunds.some(isOwedRefund)) continue;
    ids.push(id);
  }
  return ids;
}

interface Removed {
  readonly removed: string[];
  readonly refused: { id: string; why: string }[];
  /** What stopped the work before its end, or null. */
  readonly failure: unknown;
}

async function removeAll(
  context: AppContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Removed> {
  const deps = commandDeps(context);
  const removed: string[] = [];
  const refused: { id: string; why: string }[] = [];
  const waiting = [...ids];
  async function work(at: Progress['update']): Promise<void> {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      const handled = await removeRecord(deps, id, OPERATOR, operatorContext(v5(id, NAMESPACE)));
      if (handled.ok) removed.push(id);
      else
        refused.push({ id, why: handled.conflict ? 'changed meanwhile' : handled.refusal.message });
      at(ids.length - waiting.length, ids.length);
    }
  }
  const failure: unknown = await withProgress('Removing', (at) =>
    allOf(Array.from({ length: AT_ONCE }, () => work(at))),
  ).then(
    () => null,
    (error: unknown) => error,
  );
  return { removed, refused, failure };
}

/**
 * @throws Exit 1 when a write-ahead log still holds what was removed, because a reader is in the way, or the staged copy
 *   of a backup does.
 */
async function removeRemains(context: AppContext): Promise<void> {
  const blocked = await truncateWals(context);
  if (blocked.length > 0)
    throw failedExit(
      `The write-ahead logs of ${blocked.join(', ')} could not be emptied, and may still hold what was removed: run it again.`,
    );
  const underWay = removeLeftKeys(context.config.dataDir);
  if (underWay.length > 0)
    throw failedExit(
      `A backup or restore is under way, and ${underWay.join(', ')} may hold the keys of what was removed: run it again when that has ended.`,
    );
}

/** Forgets the buyers of delivered orders; asks first. Exit code 1 when an order was refused. */
export async function removeDelivered(options: Options): Promise<void> {
  const signal = interruptSignal();
  await withContext(async (context) => {
    const before =
      options.before === undefined ? null : new Date(parseMoment(options.before)).toISOString();
    await waitForModels(context, [transactions], signal);
    const ids = await findDelivered(context, before);
    if (options.dryRun) {
      printAnswer<'remove-delivered'>(options, { dryRun: true, ids }, () => [
        `${plural(ids.length, 'delivered record')} would be removed.`,
        ...ids.map((id) => `  ${id}`),
      ]);
      return;
    }
    if (ids.length === 0) {
      await removeRemains(context);
      printAnswer<'remove-delivered'>(options, { removed: [], refused: [] }, () => [
        `${plural(0, 'delivered record')} to remove.`,
      ]);
      return;
    }
    await confirmChange(
      context,
      `The buyers of ${plural(ids.length, 'delivered order')} will be unreadable for ever.`,
      options,
    );
    const { removed, refused, failure } = await removeAll(context, ids, signal);
    printAnswer<'remove-delivered'>(options, { removed, refused }, () => [
      `${plural(removed.length, 'delivered record')} removed.`,
      ...refused.map(({ id, why }) => paint.bad(`  ${id}: ${why}`)),
    ]);
    if (refused.length > 0) process.exitCode = exitCodes.failed;
    if (failure !== null) throw failure;
    await removeRemains(context);
    signal.throwIfAborted();
  });
}
