import { beforeAll, expect, it } from 'vitest';
import { ojaJson } from './support/oja.js';
import { appendToOrder } from './support/opened.js';
import { useSampleMarket } from './support/sample.js';

interface Share {
  readonly transactionId: string;
  readonly sellerId: string;
}
interface Traced {
  readonly story: readonly { readonly what: string; readonly details: string }[];
}

const market = useSampleMarket();
let disputes: readonly Share[];

beforeAll(async () => {
  expect(await market.stop()).toBe(0);
  disputes = await ojaJson(market.dataDir, ['dispute', 'list']);
});

const the = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`the sample market has ${list.length} of them`);
  return found;
};

it('names what a dispute has given back of a refund as money', async () => {
  const { transactionId, sellerId } = the(disputes, 0);
  const refund = { refundId: `${transactionId}-${sellerId}`, sellerId, providerId: '1' };
  await appendToOrder(
    market.dataDir,
    transactionId,
    ['PaymentReturnedInPart', { reference: transactionId, disputeId: 'd', amount: 123_400 }],
    ['RefundRequested', { ...refund, amount: 500_000, deliveryFee: 0 }],
    ['RefundReduced', { ...refund, amount: 376_600, returned: 123_400 }],
  );
  const { story } = await ojaJson<Traced>(market.dataDir, ['trace', transactionId]);
  const [reduced] = story.filter(({ what }) => what === 'RefundReduced');
  expect(reduced?.details).toContain('amount ₦3,766, returned ₦1,234');
});
