import type { Bought } from './buyer.js';
import { logBooks } from './log-books.js';
import type { Provider } from './provider.js';
import { isThere } from './receive.js';
import { providerBooks } from './sandbox-books.js';
import type { World } from './world.js';

/** Notices under way at once. */
const AT_ONCE = 8;

/**
 * Repeats notices of payments, long after all is known, until as many were taken as there should be;
 * but never those that were not to be told of by anybody.
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
 * A provider repeats what it was not heard about; the sandbox may have died before it had kept the news
 * of a dispute. Whether every payment that a bank has taken back is known to be.
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
