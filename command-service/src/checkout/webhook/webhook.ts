import { refuse } from '@oja/http';
import { readWebhook } from '@oja/platform';
import type { Deps, Handler } from '../../deps.js';
import { keepNotice } from './inbox.js';
import { workNoticeSoon } from './work.js';

const SIGNATURE_HEADER = 'x-paystack-signature';

/**
 * What the provider tells by itself. Only what it signed is looked at; it is kept durably before it is
 * answered and worked on afterwards, so that neither a crash nor a slow provider loses it.
 */
export function paystackWebhook(deps: Deps): Handler<'paystackWebhook'> {
  return async ({ body, header }) => {
    if (!deps.payments.isSignedByProvider(body, header(SIGNATURE_HEADER)))
      return refuse(401, 'The signature does not belong to this body');
    const notice = readWebhook(body);
    try {
      if (await keepNotice(deps, notice)) await workNoticeSoon(deps, notice.key);
    } catch (error) {
      // Whatever is wrong, the provider understands no other word for it, and tells us again.
      deps.logger.error({ err: error, key: notice.key }, 'a notice could not be kept');
      return refuse(500, 'It could not be kept. Please send it again.');
    }
    return { status: 200, body: { success: true } };
  };
}
