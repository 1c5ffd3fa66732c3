import type { Payout, SoldInPeriod } from '@oja/contracts';
import type {
  IncomeOrderDocument,
  PaidOutDocument,
  PayoutDocument,
  SoldDayDocument,
} from '@oja/contracts/models';
import { streamNames } from '@oja/domain';
import {
  addDays,
  BEST_SELLING,
  koboToNaira,
  orderNumber,
  type SalesPeriod,
} from '@oja/domain/rules';
import { type Personal, type SealedValues, sealedFields } from './people.js';

const accountFields = ['accountEnd', 'bankName'] as const;
type AccountField = (typeof accountFields)[number];

export const payoutValues = ({
  transactionId,
  account,
}: PayoutDocument): SealedValues<AccountField> => ({
  stream: streamNames.transaction(transactionId),
  values: account === null ? [] : sealedFields(account, accountFields),
});

const isOwed = ({ sellerId }: PayoutDocument, order: IncomeOrderDocument | null): boolean =>
  order?.shares.some((share) => share.sellerId === sellerId && share.status === 'released') ??
  false;

/** `order`: null if it is not known, as nothing is said then of what becomes of its money. */
export function payout(
  id: string,
  document: PayoutDocument,
  order: IncomeOrderDocument | null,
  personal: Personal<AccountField>,
): Payout {
  const [ends_in, bank_name] = accountFields.map(personal);
  return {
    payout_id: id,
    transaction_id: document.transactionId,
    number: orderNumber(document.transactionId),
    amount: koboToNaira(document.amount),
    method: document.method,
    account: ends_in && bank_name ? { ends_in, bank_name } : null,
    status: document.status,
    reason: document.reason,
    owed: isOwed(document, order),
    requested_at: document.requestedAt,
    ended_at: document.endedAt,
  };
}

/** What was paid out in the month and in the year of `today` (YYYY-MM-DD), and in all. In naira. */
export function paidOut(document: PaidOutDocument | null, today: string) {
  const months = document?.months ?? [];
  const since = (beginning: string) =>
    koboToNaira(
      months
        .filter(({ month }) => month.startsWith(beginning))
        .reduce((sum, { amount }) => sum + amount, 0),
    );
  return {
    month: since(today.slice(0, 'YYYY-MM'.length)),
    year: since(today.slice(0, 'YYYY'.length)),
    all: since(''),
  };
}

const lengths = { '7-days': 7, '30-days': 30, '90-days': 90 } as const;

/** Every day of the period that ends with `today`, oldest first. YYYY-MM-DD. */
export function daysOf(period: SalesPeriod, today: string): readonly string[] {
  const days: string[] = [];
  let day = period === '12-months' ? yearAgo(today) : addDays(today, 1 - lengths[period]);
  for (; day <= today; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first day of the twelve calendar months that end with the month of `today`. */
function yearAgo(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year - 1, month, 1)).toISOString().slice(0, today.length);
}

/** The sales of a period, in naira. `sold`: the documents of `days`, null where nothing was sold. */
export function soldInPeriod(
  period: SalesPeriod,
  days: readonly string[],
  sold: readonly (SoldDayDocument | null)[],
): SoldInPeriod {
  const steps = new Map<string, { orders: number; sum: number }>();
  const products = new Map<string, { name: string; pieces: number; sum: number }>();
  const whole = { orders: 0, sum: 0 };
  days.forEach((day, place) => {
    const from = period === '12-months' ? `${day.slice(0, 'YYYY-MM'.length)}-01` : day;
    const step = steps.get(from) ?? { orders: 0, sum: 0 };
    steps.set(from, step);
    const { orders = 0, sum = 0, products: own = [] } = sold[place] ?? {};
    for (const figures of [step, whole]) {
      figures.orders += orders;
      figures.sum += sum;
    }
    for (const { productId, name, pieces, sum } of own) {
      const known = products.get(productId) ?? { pieces: 0, sum: 0 };
      // A product is shown under the name of its newest sale.
      products.set(productId, { name, pieces: known.pieces + pieces, sum: known.sum + sum });
    }
  });
  const best = [...products].sort(
    ([a, one], [b, other]) => other.sum - one.sum || other.pieces - one.pieces || (a < b ? -1 : 1),
  );
  return {
    sum: koboToNaira(whole.sum),
    orders: whole.orders,
    steps: [...steps].map(([from, { orders, sum }]) => ({ from, orders, sum: koboToNaira(sum) })),
    products: best.slice(0, BEST_SELLING).map(([product_id, { name, pieces, sum }]) => ({
      product_id,
      prod_name: name,
      pieces,
      sum: koboToNaira(sum),
    })),
  };
}
