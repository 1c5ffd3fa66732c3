import { nameId } from '@oja/command-service';
import { catalogue, type LedgerDocument, ledger } from '@oja/contracts/models';
import { businessNameKey } from '@oja/domain';
import type { Stores } from './market.js';
import { type Charge, feesOf, type Provider } from './provider.js';
import { loginOf } from './sellers.js';
import { Violation, type Witness } from './witness.js';
import type { World } from './world.js';

/** Kobo of a payment that the market still has, according to the provider. */
function leftOf(charge: Charge, { refundsOf }: Provider): number {
  const back = refundsOf(charge)
    .filter(({ status }) => status === 'processed')
    .reduce((sum, { amount }) => sum + amount, 0);
  const taken = charge.takenBackAt === null ? 0 : charge.amount - back;
  return charge.amount - feesOf(charge.amount) - back - taken;
}

/** The ledger must agree with the provider's books for each order. `asleepSince`: no process has woken up since then. */
export function checkBooks(
  stores: Stores,
  provider: Provider,
  witness: Witness,
  asleepSince: number,
): void {
  const accounts = stores.documents.tables.get(`ledger_v${ledger.version}_g1_accounts`)?.rows;
  for (const [id, { document }] of accounts ?? [])
    if (document.balanced !== true) throw new Violation('the ledger is not balanced', id);
  for (const order of witness.orders.values()) {
    const { transactionId, payment, mismatched } = order;
    const known = [payment, ...mismatched].flatMap((each) =>
      each === null ? [] : (provider.charges.get(each.reference) ?? []),
    );
    // The market cannot know of a chargeback that it got no notice of, or that came while it slept.
    const isUntold = known.some(
      ({ reference, takenBackAt, givenInPartAt, disputes }) =>
        (takenBackAt !== null &&
          (takenBackAt > asleepSince || !witness.hasHeard('charge.dispute.create', reference))) ||
        (givenInPartAt !== null &&
          (givenInPartAt > asleepSince ||
            disputes > 1 ||
            !witness.hasHeard('charge.dispute.resolve', reference))),
    );
    if (isUntold) continue;
    const told = accounts?.get(transactionId)?.document as LedgerDocument | undefined;
    const cash = known.reduce((sum, charge) => sum + leftOf(charge, provider), 0);
    if ((told?.cash ?? 0) !== cash)
      throw new Violation(
        'the ledger and the provider do not agree',
        transactionId,
        `${told?.cash} and ${cash}`,
      );
    const sent = witness
      .transfersOf(order)
      .filter(({ status }) => status === 'success')
      .reduce((sum, { amount }) => sum + amount, 0);
    const byHand = order.shares
      .filter(({ payoutId, status }) => status === 'paid-out' && witness.byHand.has(payoutId ?? ''))
      .reduce((sum, { share }) => sum + share, 0);
    if ((told?.paidOut ?? 0) !== sent + byHand)
      throw new Violation(
        'what was paid out is not what left',
        transactionId,
        `${told?.paidOut} and ${sent + byHand}`,
      );
  }
}

/** The counted stock must match the orders, and shoppers must see that count. */
export function checkStock(stores: Stores, { stock }: Witness): void {
  const shown = stores.documents.tables.get(`catalogue_v${catalogue.version}_g1_products`)?.rows;
  stock.conclude((productId) => shown?.get(productId)?.document.stock);
}

/** Every seller must hold the reservation of their name and be able to log in with it. */
export async function checkNames({ witness, market, stalls, scheduler }: World): Promise<void> {
  for (const [sellerId, state] of witness.sellers) {
    if (state.status !== 'registered') continue;
    const { businessName } = state;
    const holder = witness.holderOf(nameId(businessNameKey(businessName)));
    if (holder !== sellerId)
      throw new Violation(
        'a seller goes by a name that is not theirs',
        businessName,
        `${sellerId}, held by ${holder}`,
      );
    const stall = stalls.find((each) => each.sellerId === sellerId);
    if (stall === undefined) continue;
    let status = 0;
    for (let tries = 0; tries < 20 && status !== 200 && status !== 401; tries += 1) {
      status = (await market.call('login', loginOf({ ...stall, businessName })))?.status ?? 0;
      if (status !== 200) await scheduler.sleep(10 * 60_000, 'logs in again');
    }
    if (status !== 200)
      throw new Violation('a seller cannot log in', businessName, `${sellerId}: ${status}`);
  }
}
