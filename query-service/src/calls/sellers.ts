import { streamNames } from '@oja/domain';
import { descending } from '../models/reader.js';
import { earnings } from '../wire/orders.js';
import { openPersonal, profile, sealedFields, sellerValues } from '../wire/people.js';
import { noSeller, ok, type QueryHandler, type Tools } from './handler.js';

export const singleUser =
  ({ reader, sealer }: Tools): QueryHandler<'singleUser'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    if (document === null) return noSeller();
    const [personal = () => null] = await openPersonal(sealer, [sellerValues(document)]);
    return ok({ success: true, result: [profile(document, personal)] });
  };

/** Newest first. */
export const getAllUsers =
  ({ reader, sealer }: Tools): QueryHandler<'getAllUsers'> =>
  async () => {
    const sellers = (await reader.open('sellers')).of('sellers');
    const { items } = await sellers.find({ sort: descending('registeredAt') });
    const documents = items.map(({ document }) => document);
    const personal = await openPersonal(sealer, documents.map(sellerValues));
    const result = documents.map((one, at) => profile(one, personal[at] ?? (() => null)));
    return ok({ success: true, result });
  };

const accountFields = ['accountName', 'accountNumber', 'bankCode'] as const;

/** Null before one was given, and after the seller's key is gone. */
export const getPayoutAccount =
  ({ reader, sealer }: Tools): QueryHandler<'getPayoutAccount'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    const account = document?.payoutAccount ?? null;
    if (account === null) return ok({ success: true, account: null });
    const stream = streamNames.seller(actor.sellerId);
    const [opened] = await openPersonal(sealer, [
      { stream, values: sealedFields(account, accountFields) },
    ]);
    const [name, number, bank] = accountFields.map((field) => opened?.(field) ?? null);
    if (!name || !number || !bank) return ok({ success: true, account: null });
    return ok({
      success: true,
      account: { account_name: name, account_number: number, bank_code: bank },
    });
  };

export const userEarnings =
  ({ reader }: Tools): QueryHandler<'userEarnings'> =>
  async ({ actor }) => {
    const document = await (await reader.open('ledger')).of('earnings').get(actor.sellerId);
    return ok({ success: true, result: earnings(document) });
  };
