import { earnings } from '../../wire/money.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

export const userEarnings =
  ({ reader }: Tools): QueryHandler<'userEarnings'> =>
  async ({ actor }) => {
    const document = await (await reader.open('ledger')).of('earnings').get(actor.sellerId);
    return ok({ success: true, result: earnings(document) });
  };
