import { openPersonal, sealedFields } from '../../wire/personal.js';
import { sellerStream } from '../../wire/profile.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

const fields = ['accountName', 'accountNumber', 'bankCode'] as const;

/** Null before one was given, and after the seller's key is gone. */
export const getPayoutAccount =
  ({ reader, sealer }: Tools): QueryHandler<'getPayoutAccount'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    const account = document?.payoutAccount ?? null;
    if (account === null) return ok({ success: true, account: null });
    const stream = sellerStream(actor.sellerId);
    const [opened] = await openPersonal(sealer, [
      { stream, values: sealedFields(account, fields) },
    ]);
    const [name, number, bank] = fields.map((field) => opened?.(field) ?? null);
    if (!name || !number || !bank) return ok({ success: true, account: null });
    return ok({
      success: true,
      account: { account_name: name, account_number: number, bank_code: bank },
    });
  };
