import { seller } from '@oja/domain';
import { type Market, openMarket } from './market.js';

/** Gives Ada, who sells the tests' goods, this bank account. */
export async function setAccount(
  market: Market,
  accountNumber: string,
  bankCode: string,
): Promise<void> {
  const given = { accountName: 'Ada Obi', accountNumber, bankCode };
  const account = await market.deps.sealer.seal('seller:ada', 'seller-ada', given);
  await market.happen(seller, 'ada', {
    type: 'PayoutAccountSet',
    data: { sellerId: 'ada', ...account },
  });
}

/** A paid order whose buyer has confirmed the delivery, in a market of its own. `payouts`: whether it sends transfers. */
export async function openReleased(payouts: boolean) {
  const market = await openMarket({ payouts });
  await setAccount(market, '0123456789', '058');
  const order = await market.paid();
  await market.call('PUT', `/v1/buyers/transactions/${order.key}`);
  return { market, order };
}

/** References of the transfers that the provider has made. */
export async function transfersOf({ deps, clock }: Market): Promise<readonly string[]> {
  const entries = await deps.state.list('payment-sandbox', 'transfer:', clock.now());
  return entries.map(({ value }) => String(value.reference));
}
