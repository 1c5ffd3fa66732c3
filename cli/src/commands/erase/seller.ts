import { nameId } from '@oja/command-service';
import {
  catalogue,
  type ProductDocument,
  type TransactionDocument,
  transactions,
} from '@oja/contracts/models';
import { businessName, businessNameKey, product, seller } from '@oja/domain';
import type { Handled } from '@oja/platform';
import { everyOne } from '@oja/projector';
import { commandDeps } from '../../market/commandDeps.js';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { plural } from '../../terminal/output.js';
import { operatorContext } from '../shared/context.js';
import { followed } from '../shared/followed.js';
import { eraseSubject, type Proof } from './erase.js';
import { subjectOf } from './sealed.js';

/** So many orders are named in a refusal. */
const NAMED = 3;

/** Paid orders in which this seller still has something to deliver or to get. */
async function openOrders(ground: Ground, sellerId: string, signal: AbortSignal) {
  await followed(ground, [transactions, catalogue], signal);
  const { engines, readModels } = ground;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const open: string[] = [];
  for await (const { id, document } of everyOne<TransactionDocument>(
    engines.documents,
    collection,
    { filter: [{ field: 'status', op: 'eq', value: 'success' }] },
  )) {
    const owed = document.shares.some(
      (share) =>
        share.sellerId === sellerId && ['held', 'disputed', 'released'].includes(share.status),
    );
    if (owed) open.push(id);
  }
  return open;
}

async function refuseWhileOpen(ground: Ground, sellerId: string, signal: AbortSignal) {
  const open = await openOrders(ground, sellerId, signal);
  if (open.length === 0) return;
  const named = open.slice(0, NAMED).join(', ');
  throw new Exit(
    exitCodes.failed,
    `The seller cannot be erased yet: ${plural(open.length, 'paid order')} with goods to deliver or a share to pay out (${named}${open.length > NAMED ? ', …' : ''}). Buyers confirm or complain first (oja dispute list), and released shares are paid out (oja payouts list); then run this again.`,
  );
}

function done<S, R extends { readonly message: string }>(handled: Handled<S, R>): void {
  if (handled.ok) return;
  const why = handled.conflict ? 'somebody else wrote at the same moment' : handled.refusal.message;
  throw new Exit(exitCodes.failed, `The erasure stopped half-way: ${why}; run it again.`);
}

async function removeGoods(ground: Ground, sellerId: string): Promise<number> {
  const { engines, readModels, handle } = ground;
  const products = await readModels.liveCollection(catalogue, 'products');
  let removed = 0;
  for await (const { id, document } of everyOne<ProductDocument>(engines.documents, products, {
    filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
  })) {
    if (document.status === 'REMOVED') continue;
    const command = { type: 'RemoveProduct', sellerId, inTransaction: false } as const;
    done(await handle.handle(product, id, command, operatorContext()));
    removed += 1;
  }
  return removed;
}

async function releaseName({ handle }: Ground, sellerId: string): Promise<void> {
  const { state } = await handle.load(seller, sellerId);
  if (state.status === 'none') return;
  const id = nameId(businessNameKey(state.businessName));
  const command = { type: 'ReleaseName', sellerId } as const;
  done(await handle.handle(businessName, id, command, operatorContext()));
}

export interface SellerErased {
  readonly goodsRemoved: number;
  readonly sessionsEnded: number;
  readonly proof: Proof;
}

/**
 * Erases a seller who is owed nothing and owes nothing. Every step may be repeated: a killed erasure
 * is finished by the next.
 */
export async function eraseSeller(
  ground: Ground,
  sellerId: string,
  signal: AbortSignal,
): Promise<SellerErased> {
  const { sessions, passwords, clock } = commandDeps(ground);
  await refuseWhileOpen(ground, sellerId, signal);
  const goodsRemoved = await removeGoods(ground, sellerId);
  // An order may have been paid while the goods went; its buyer is waiting then.
  await refuseWhileOpen(ground, sellerId, signal);
  await passwords.forget(sellerId);
  const sessionsEnded = await sessions.endAll(sellerId, clock.now());
  // What was listed before the sessions ended.
  await followed(ground, [catalogue], signal);
  const late = await removeGoods(ground, sellerId);
  await releaseName(ground, sellerId);
  const proof = await eraseSubject(ground, subjectOf('seller', sellerId));
  return { goodsRemoved: goodsRemoved + late, sessionsEnded, proof };
}
