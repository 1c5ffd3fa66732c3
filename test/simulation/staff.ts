import { markPaid, removeRecord, settleDispute } from '@oja/command-service';
import { isLongUnconfirmed, type PlacedOrder, type ShareState } from '@oja/domain';
import { recordOperation } from '@oja/projector';
import { createRandom, type Random } from '../chaos/random.js';
import { isUnderWay } from './provider.js';
import { chancesFor, commandIdOf, DAY, HOUR, type World } from './world.js';

const STAFF_SEED = 900_000;

/** Operators handle open orders now and then, in no order, and sometimes twice. */
export async function keepHouse(world: World): Promise<void> {
  const chances = chancesFor(createRandom, world, STAFF_SEED);
  const { scheduler } = world;
  while (scheduler.now() < world.until) {
    await scheduler.sleep(chances.between(6, 72) * HOUR, 'an operator looks');
    for (const order of world.witness.open()) {
      if (chances.chance(0.3)) continue;
      if (chances.chance(0.05))
        await Promise.all([lookAt(world, order, chances), lookAt(world, order, chances)]);
      else await lookAt(world, order, chances);
    }
    if (world.troubles.has('erasures')) await forgetSomebody(world, chances);
  }
}

/** Does everything an operator can do for open orders; called repeatedly at the end. */
export async function finishAll(world: World): Promise<void> {
  const chances = chancesFor(createRandom, world, STAFF_SEED + 1);
  for (const order of world.witness.open()) await lookAt(world, order, chances);
}

const context = (what: string) => {
  const commandId = commandIdOf('operator', what);
  return { actor: 'operator', commandId, correlationId: commandId, causationId: commandId };
};

async function lookAt(
  world: World,
  { transactionId }: PlacedOrder,
  chances: Random,
): Promise<void> {
  const order = world.witness.orders.get(transactionId);
  if (order === undefined) return;
  for (const share of order.shares) {
    // Some operators do not know yet that it is too early.
    const isTime = isLongUnconfirmed(order, new Date(world.scheduler.now()).toISOString());
    const isHeld = share.status === 'held' && (isTime || chances.chance(0.1));
    if (share.status === 'disputed' || isHeld) await settle(world, order, share, chances);
    if (share.status === 'released' || share.status === 'payout-requested')
      await payByHand(world, order, share);
  }
}

async function settle(
  { market, tell, scheduler }: World,
  { transactionId }: PlacedOrder,
  { sellerId }: ShareState,
  chances: Random,
): Promise<void> {
  const outcome = chances.pick(['release', 'refund'] as const);
  const settled = await market.operate('settles a dispute', (deps) =>
    settleDispute(
      deps,
      { transactionId, sellerId, outcome, note: 'as it is', by: 'operator' },
      context(`settle ${transactionId} ${sellerId} ${scheduler.now()}`),
    ),
  );
  tell(
    'operator',
    `settles ${transactionId} for ${sellerId} (${outcome}): ${settled?.ok ?? 'no answer'}`,
  );
}

/** Pays by hand only if the provider does not: no account, no transfers, or one that failed for good. */
async function payByHand(world: World, order: PlacedOrder, share: ShareState): Promise<void> {
  const { market, witness, tell } = world;
  const { transactionId } = order;
  const transfers = witness.transfersOf(order, order.shares.indexOf(share));
  if (transfers.some(isUnderWay)) return;
  const isLeftToHands = share.payoutMethod === 'manual' || !world.isPaidByTransfer(share.sellerId);
  const hasEndedBadly = transfers.some(({ status }) =>
    ['abandoned', 'blocked', 'rejected'].includes(status),
  );
  if (!isLeftToHands && !hasEndedBadly) return;
  const paid = await market.operate('pays by hand', (deps) =>
    markPaid(deps, transactionId, share.sellerId),
  );
  const answer = paid === null ? 'no answer' : paid.ok ? 'recorded' : paid.refusal.code;
  tell('operator', `pays ${share.sellerId} of ${transactionId} by hand: ${answer}`);
}

/** Erases a buyer on request, or removes a paid order's record. */
async function forgetSomebody(world: World, chances: Random): Promise<void> {
  const { market, witness, scheduler, tell } = world;
  const all = [...witness.orders.values()];
  if (all.length === 0 || chances.chance(0.7)) return;
  const order = chances.pick(all.slice(-20));
  const { transactionId } = order;
  if (order.payment !== null) {
    const removed = await market.operate('removes a record', (deps) =>
      removeRecord(
        deps,
        transactionId,
        'operator',
        context(`remove ${transactionId} ${scheduler.now()}`),
      ),
    );
    tell('operator', `removes the record of ${transactionId}: ${removed?.ok ?? 'no answer'}`);
    return;
  }
  const subject = `transaction:${transactionId}`;
  const at = new Date(scheduler.now() - (scheduler.now() % DAY)).toISOString();
  await market.operate('erases a buyer', async (deps) => {
    await recordOperation(
      deps,
      { type: 'SubjectErased', data: { subject, at } },
      context(`erase ${transactionId}`),
    );
    await deps.keys.destroy(subject);
  });
  tell('operator', `erases the buyer of ${transactionId}`);
}
