import { seller } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer } from '../refusals.js';
import { createPasswordCheck } from './password.js';
import { sealForSeller } from './profile.js';

/** Where one's own earnings are paid to; sealed. The password is asked for again. */
export function setPayoutAccount(deps: Deps): Handler<'setPayoutAccount'> {
  const check = createPasswordCheck(deps);
  return async (request) => {
    const { sellerId } = request.actor;
    const { account_name, account_number, bank_code, password } = request.body;
    const wrong = await check(sellerId, 'password', password);
    if (wrong !== null) return wrong;
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
}
