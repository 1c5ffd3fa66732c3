import { seller } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer } from '../refusals.js';
import { sealForSeller } from './profile.js';

/** Where one's own earnings are paid to; sealed. */
export const setPayoutAccount =
  (deps: Deps): Handler<'setPayoutAccount'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const { account_name, account_number, bank_code } = request.body;
    const sealed = await sealForSeller(deps, sellerId, {
      accountName: account_name,
      accountNumber: account_number,
      bankCode: bank_code,
    });
    const handled = await deps.handle(
      seller,
      sellerId,
      { type: 'SetPayoutAccount', ...sealed },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 200, body: { success: true }, position: handled.position };
  };
