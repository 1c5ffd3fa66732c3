import { type Bought, comeBack } from './buyer.js';
import type { Provider } from './provider.js';
import type { Staff } from './staff.js';

/** Whether the buyer still acts. With these fates the browser never came back, or nothing was paid. */
export const isThere = ({ fate, transactionId }: Bought): boolean =>
  transactionId !== null && !['no-return', 'no-news', 'never', 'forged'].includes(fate.paying);

/** Plays the buyer's reaction once the goods should have come, more than 48 hours after the payment. */
export async function receive(bought: Bought, provider: Provider, staff: Staff): Promise<void> {
  if (!isThere(bought)) return;
  const { fate, caller, orderKey, reference, amount } = bought;
  await comeBack(bought, reference);
  const confirm = () =>
    caller.persist({ method: 'PUT', path: `/v1/buyers/transactions/${orderKey}` });
  switch (fate.receiving) {
    case 'silent':
      return;
    case 'confirmed':
      await Promise.all([confirm(), confirm()]);
      return;
    case 'not-yet':
      await caller.persist({ method: 'POST', path: `/v1/orders/${orderKey}/not-received` });
      return;
    case 'charged-back':
      if (fate.random.chance(0.5)) await confirm();
      return provider.chargeBack(reference, amount);
    case 'refunded':
    case 'released':
      return dispute(bought, staff);
  }
}

/** Reports a problem with one seller's goods or all, confirms the rest, and has it settled. */
async function dispute(bought: Bought, staff: Staff): Promise<void> {
  const { fate, caller, orderKey, transactionId, sellerIds } = bought;
  const about = fate.random.chance(0.5) ? sellerIds : sellerIds.slice(0, 1);
  await caller.persist({
    method: 'POST',
    path: `/v1/orders/${orderKey}/problem`,
    body: { sellerIds: about, message: 'It came broken' },
  });
  if (about.length < sellerIds.length)
    await caller.persist({ method: 'PUT', path: `/v1/buyers/transactions/${orderKey}` });
  const outcome = fate.receiving === 'refunded' ? 'refund' : 'release';
  for (const sellerId of about) await staff.settle(transactionId ?? '', sellerId, outcome);
}
