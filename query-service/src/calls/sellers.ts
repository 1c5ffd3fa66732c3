import { saleId, soldDayId } from '@oja/contracts/models';
import { codeExpiresAt, streamNames } from '@oja/domain';
import { lagosDay, limits } from '@oja/domain/rules';
import { notYours } from '@oja/http';
import { noSeller, ok, orForeignCursor, type QueryHandler, type Tools } from '../deps.js';
import { descending, equal, withOwnWords } from '../read-models.js';
import { daysOf, paidOut, payout, payoutValues, soldInPeriod } from '../wire/income.js';
import { earnings, sale, saleWithHistory } from '../wire/orders.js';
import {
  openPersonal,
  profile,
  sealedFields,
  sellerValues,
  showWithPersonal,
} from '../wire/people.js';

export const singleUser =
  ({ reader, sealer }: Tools): QueryHandler<'singleUser'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    if (document === null) return noSeller();
    const personal = await openPersonal(sealer, sellerValues(document));
    return ok({ success: true, result: [profile(document, personal)] });
  };

export const getAllUsers =
  ({ reader, sealer }: Tools): QueryHandler<'getAllUsers'> =>
  ({ query: { cursor, limit } }) =>
    orForeignCursor(async () => {
      const sellers = (await reader.open('sellers')).of('sellers');
      const page = await sellers.find({
        sort: descending('registeredAt'),
        ...(limit === undefined ? {} : { limit }),
        cursor,
      });
      const documents = page.items.map(({ document }) => document);
      const result = await showWithPersonal(sealer, documents, sellerValues, profile);
      return ok({ success: true, result, nextCursor: page.next });
    });

const accountFields = ['accountName', 'accountNumber', 'bankCode'] as const;

/** `account` is null before the seller has given one, and after the seller's key is destroyed. */
export const getPayoutAccount =
  ({ reader, sealer }: Tools): QueryHandler<'getPayoutAccount'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    const account = document?.payoutAccount ?? null;
    if (account === null) return ok({ success: true, account: null });
    const stream = streamNames.seller(actor.sellerId);
    const values = sealedFields(account, accountFields);
    const [name, number, bank] = accountFields.map(await openPersonal(sealer, { stream, values }));
    if (!name || !number || !bank) return ok({ success: true, account: null });
    return ok({
      success: true,
      account: { account_name: name, account_number: number, bank_code: bank },
    });
  };

/** Shows the address to its owner alone, and to nobody once the key is destroyed. */
export const userLetters =
  ({ reader, sealer, clock }: Tools): QueryHandler<'userLetters'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    if (document === null) return noSeller();
    const { asked, email } = document.letters;
    const stream = streamNames.seller(actor.sellerId);
    const values = [
      ...(email === null ? [] : [{ name: 'confirmed', field: 'email', value: email } as const]),
      ...(asked === null ? [] : [{ name: 'asked', field: 'email', value: asked.email } as const]),
    ];
    const personal = await openPersonal(sealer, { stream, values });
    const [confirmed, waiting] = [personal('confirmed'), personal('asked')];
    const ends_at = asked === null ? '' : codeExpiresAt(asked.at);
    const isWaiting = waiting !== null && Date.parse(ends_at) > clock.now();
    return ok({
      success: true,
      email: confirmed,
      on: confirmed !== null && document.lettersSince !== null,
      asked: isWaiting ? { email: waiting, ends_at } : null,
    });
  };

export const userEarnings =
  ({ reader }: Tools): QueryHandler<'userEarnings'> =>
  async ({ actor }) => {
    const document = await (await reader.open('ledger')).of('earnings').get(actor.sellerId);
    return ok({ success: true, result: earnings(document) });
  };

/** The counts are of everything found, whatever status is asked for: the links to each status show them. */
export const userOrders =
  ({ reader, images }: Tools): QueryHandler<'userOrders'> =>
  ({ query: { find, status, cursor, limit = limits.page.size }, actor }) =>
    orForeignCursor(async () => {
      const sales = (await reader.open('sales')).of('sales');
      const own = [equal('sellerId', actor.sellerId), equal('paid', true)];
      const found = [...own, ...withOwnWords('searchKey', find)];
      const [toHandOver, facets, page] = await Promise.all([
        sales.count([...own, equal('status', 'held')]),
        sales.facets(found, ['status']),
        sales.find({
          filter: status === undefined ? found : [...found, equal('status', status)],
          sort: descending('paidAt'),
          limit,
          cursor,
        }),
      ]);
      const counted = new Map((facets.status ?? []).map(({ value, count }) => [value, count]));
      const of = (value: string) => counted.get(value) ?? 0;
      const all = [...counted.values()].reduce((sum, count) => sum + count, 0);
      return ok({
        success: true,
        result: page.items.map(({ document }) => sale(document, images)),
        total: status === undefined ? all : of(status),
        counts: {
          held: of('held'),
          disputed: of('disputed'),
          released: of('released'),
          'paid-out': of('paid-out'),
          refunded: of('refunded'),
        },
        to_hand_over: toHandOver,
        nextCursor: page.next,
      });
    });

/** Another seller's part and an unpaid order are answered as if they did not exist. */
export const userOrder =
  ({ reader, images }: Tools): QueryHandler<'userOrder'> =>
  async ({ params, actor }) => {
    const sales = (await reader.open('sales')).of('sales');
    const document = await sales.get(saleId(actor.sellerId, params.transactionId));
    if (document === null || !document.paid) return notYours();
    return ok({ success: true, result: saleWithHistory(document, images) });
  };

/** Newest first. */
export const userPayouts =
  ({ reader, sealer, clock }: Tools): QueryHandler<'userPayouts'> =>
  ({ query: { cursor, limit = limits.page.size }, actor: { sellerId } }) =>
    orForeignCursor(async () => {
      const income = await reader.open('income');
      const [sums, page] = await Promise.all([
        income.of('paidOut').get(sellerId),
        income.of('payouts').find({
          filter: [equal('sellerId', sellerId)],
          sort: descending('requestedAt'),
          limit,
          cursor,
        }),
      ]);
      const orders = await income
        .of('orders')
        .getMany(page.items.map(({ document }) => document.transactionId));
      const result = await showWithPersonal(
        sealer,
        page.items.map((item, place) => ({ ...item, order: orders[place] ?? null })),
        ({ document }) => payoutValues(document),
        ({ id, document, order }, personal) => payout(id, document, order, personal),
      );
      return ok({
        success: true,
        result,
        paid_out: paidOut(sums, lagosDay(clock.now())),
        nextCursor: page.next,
      });
    });

export const userSales =
  ({ reader, clock }: Tools): QueryHandler<'userSales'> =>
  async ({ query: { period = '30-days' }, actor: { sellerId } }) => {
    const days = daysOf(period, lagosDay(clock.now()));
    const income = await reader.open('income');
    const sold = await income.of('days').getMany(days.map((day) => soldDayId(sellerId, day)));
    return ok({ success: true, result: soldInPeriod(period, days, sold) });
  };
