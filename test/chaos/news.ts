import type { Bought } from './buyer.js';
import { logBooks } from './log-books.js';
import type { Provider } from './provider.js';
import { isThere } from './receive.js';
import { providerBooks } from './sandbox-books.js';
import type { World } from './world.js';

/** Notices in flight at once. */
const AT_ONCE = 8;

/**
 * Repeats payment notices, long after all payments are known, until the wanted number was accepted.
 * Leaves out orders whose buyer never came back or never paid.
 */
export async function topUp(
  { roles }: World,
  provider: Provider,
  bought: readonly Bought[],
  wanted: number,
): Promise<void> {
  const paid = bought.filter(isThere);
  let missing = wanted - roles.webhooksTaken();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, lane) => {
      for (let i = lane; missing > 0; i += AT_ONCE) {
        missing -= 1;
        const order = paid[i % paid.length];
        if (order === undefined) return;
        await provider.repeat(order.reference, order.amount);
      }
    }),
  );
}

/**
 * A provider repeats notices that were not accepted, but the sandbox may have died before it stored
 * the news of a dispute: raise it again. Resolves to whether every payment that a bank has taken
 * back is recorded as reversed.
 */
export async function disputesHeard(
  { engines, clock }: World,
  provider: Provider,
  bought: readonly Bought[],
): Promise<boolean> {
  const orders = await logBooks(engines);
  const { captured } = await providerBooks(engines, clock.now());
  const takenBack = new Map(
    captured
      .filter(({ amount, givenBack }) => amount === givenBack)
      .map(({ reference, providerId }) => [reference, providerId]),
  );
  const unheard = bought.filter(({ fate, reference, transactionId }) => {
    const order = orders.get(transactionId ?? '');
    const providerId = takenBack.get(reference) ?? '';
    const isPayment = order?.verified.includes(providerId) === true;
    return fate.receiving === 'charged-back' && isPayment && order?.reversed === false;
  });
  for (const { reference } of unheard) await provider.raiseDispute(reference);
  return unheard.length === 0;
}
