import { nameId, revokeRights } from '@oja/command-service';
import {
  catalogue,
  income,
  type ProductDocument,
  type TransactionDocument,
  transactions,
} from '@oja/contracts/models';
import {
  businessName,
  businessNameKey,
  HOUR_MS,
  mayBeRestored,
  PROBLEM_AFTER_MS,
  product,
  seller,
  transaction,
} from '@oja/domain';
import type { CommandResult } from '@oja/platform';
import { commandDeps } from '../../runtime/command-deps.js';
import type { AppContext } from '../../runtime/context.js';
import { operatorContext } from '../../runtime/operator.js';
import { failedExit } from '../../terminal/exit.js';
import { plural } from '../../terminal/output.js';
import { liveDocuments } from '../shared/live-documents.js';
import { waitForModels } from '../shared/wait-for-models.js';
import { eraseSubject, isProven, type Proof, subjectOf } from './erase.js';

/** How many orders a refusal names. */
const NAMED = 3;

/** Ids of paid orders in which the seller still has goods to deliver or money to get. */
async function openOrders(context: AppContext, sellerId: string, signal: AbortSignal) {
  await waitForModels(context, [transactions, catalogue], signal);
  const orders = liveDocuments<TransactionDocument>(context, transactions, 'transactions', {
    filter: [{ field: 'status', op: 'in', values: ['success', 'reversed'] }],
  });
  const open: string[] = [];
  for await (const { id, document } of orders) {
    const own = document.shares.filter((share) => share.sellerId === sellerId);
    const owed = own.some(({ status }) => ['held', 'disputed', 'released'].includes(status));
    if (owed || (own.length > 0 && (await mayOweAgain(context, document, sellerId)))) open.push(id);
  }
  return open;
}

/** Whether the bank may return a payment that it has taken back, so that the seller's share is owed once more. */
async function mayOweAgain(
  { commands }: AppContext,
  { transactionId, status }: TransactionDocument,
  sellerId: string,
): Promise<boolean> {
  if (status !== 'reversed') return false;
  const { state } = await commands.load(transaction, transactionId);
  if (state.status === 'none' || !mayBeRestored(state)) return false;
  return state.shares.some((share) => share.sellerId === sellerId && share.status === 'reversed');
}

/** How many orders, and which. */
const formatOrders = (orders: readonly string[], what: string): string =>
  `${plural(orders.length, 'paid order')} ${what} (${orders.slice(0, NAMED).join(', ')}${orders.length > NAMED ? ', …' : ''})`;

async function refuseOpenOrders(context: AppContext, sellerId: string, signal: AbortSignal) {
  const open = await openOrders(context, sellerId, signal);
  if (open.length === 0) return;
  throw failedExit(
    `The seller cannot be erased yet: ${formatOrders(open, 'with goods to deliver or a share to pay out')}. Buyers confirm or complain first (oja dispute list), released shares are paid out (oja payouts list), and the bank closes its disputes; then run this again.`,
  );
}

const stoppedExit = (why: string) =>
  failedExit(`The erasure stopped half-way: ${why}; run it again.`);

/** From the destruction of the key on, a payment is held aside; one that came just before it counts. */
async function refuseLatePaid(context: AppContext, sellerId: string, signal: AbortSignal) {
  const late = await openOrders(context, sellerId, signal);
  if (late.length === 0) return;
  throw failedExit(
    `The seller is erased, but ${formatOrders(late, 'came in at that moment, which nobody can deliver')}. Its buyer reports a problem on the page the receipt links to, from ${PROBLEM_AFTER_MS / HOUR_MS} h after the payment; settle it then with oja dispute settle <order> --seller ${sellerId} --refund, and run this again.`,
  );
}

function requireHandled<S>(handled: CommandResult<S>): void {
  if (handled.ok) return;
  throw stoppedExit(
    handled.conflict ? 'somebody else wrote at the same moment' : handled.refusal.message,
  );
}

async function removeProduct(
  { commands }: AppContext,
  sellerId: string,
  id: string,
): Promise<void> {
  const command = { type: 'RemoveProduct', sellerId, inTransaction: false } as const;
  requireHandled(await commands.handle(product, id, command, operatorContext()));
}

async function removeGoods(context: AppContext, sellerId: string): Promise<number> {
  const products = liveDocuments<ProductDocument>(context, catalogue, 'products', {
    filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
  });
  let removed = 0;
  for await (const { id, document } of products) {
    if (document.status === 'REMOVED') continue;
    await removeProduct(context, sellerId, id);
    removed += 1;
  }
  return removed;
}

async function releaseName({ commands }: AppContext, sellerId: string): Promise<void> {
  const { state } = await commands.load(seller, sellerId);
  if (state.status === 'none') return;
  const id = nameId(businessNameKey(state.businessName));
  const command = { type: 'ReleaseName', sellerId } as const;
  requireHandled(await commands.handle(businessName, id, command, operatorContext()));
}

/** Takes away an admin's rights, the password and all sessions; returns how many sessions there were. */
async function endAccess(context: AppContext, sellerId: string): Promise<number> {
  const deps = commandDeps(context);
  const revoked = await revokeRights(deps, sellerId);
  if (!revoked.ok) throw stoppedExit(revoked.message);
  await deps.passwords.forget(sellerId);
  return deps.sessions.endAll(sellerId, deps.clock.now());
}

export interface SellerErased {
  readonly goodsRemoved: number;
  readonly sessionsEnded: number;
  readonly proof: Proof;
}

/**
 * Erases a seller who owes nothing and is owed nothing. Every step may be repeated: running it again finishes a
 * killed erasure. @throws Exit 1 when an order is open or was paid at the last moment, or a command is refused half-way.
 */
export async function eraseSeller(
  context: AppContext,
  sellerId: string,
  signal: AbortSignal,
): Promise<SellerErased> {
  await refuseOpenOrders(context, sellerId, signal);
  const goodsRemoved = await removeGoods(context, sellerId);
  // An order may have been paid while the goods were being removed; its buyer now waits for them.
  await refuseOpenOrders(context, sellerId, signal);
  const sessionsEnded = await endAccess(context, sellerId);
  // Goods may have been listed before the sessions ended: wait for the read model, and remove them too.
  await waitForModels(context, [catalogue, income], signal);
  const late = await removeGoods(context, sellerId);
  const proof = await eraseSubject(context, subjectOf('seller', sellerId));
  await refuseLatePaid(context, sellerId, signal);
  // Last, and only when nothing has to be repeated: by the name, the same command finds the seller again.
  if (isProven(proof)) await releaseName(context, sellerId);
  return { goodsRemoved: goodsRemoved + late, sessionsEnded, proof };
}

/**
 * Ends again what a restored backup has brought back of erased sellers: rights, passwords, sessions, goods and names,
 * whatever is owed. It finds the goods in the log, since the read models of a backup may not follow it.
 * @throws Exit 1 when a command is refused.
 */
export async function closeAgain(
  context: AppContext,
  sellerIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (sellerIds.length === 0) return;
  for await (const { type, data } of context.engines.eventStore.readAll({ after: null })) {
    signal.throwIfAborted();
    const event = type === 'ProductListed' ? product.parse(type, data) : null;
    if (event?.type !== 'ProductListed' || !sellerIds.includes(event.data.sellerId)) continue;
    await removeProduct(context, event.data.sellerId, event.data.productId);
  }
  for (const sellerId of sellerIds) {
    const { state } = await context.commands.load(seller, sellerId);
    // Whoever registered after the backup is not in it.
    if (state.status === 'none') continue;
    await endAccess(context, sellerId);
    await releaseName(context, sellerId);
  }
}
