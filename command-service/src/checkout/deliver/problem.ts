import type { Deps, Handler } from '../../deps.js';
import { buyerSubject, orderStream } from '../order.js';
import { ofHolder } from './confirm.js';

/** What is wrong is told in the buyer's own words, so it is sealed as everything else of theirs. */
export function reportProblem(deps: Deps): Handler<'reportProblem'> {
  return async (request) => {
    const { sellerIds, message } = request.body;
    const { ok, answer } = await ofHolder(
      deps,
      request.params.orderKey,
      request,
      async (transactionId, at) => {
        const { complaint } = await deps.sealer.seal(
          buyerSubject(transactionId),
          orderStream(transactionId),
          { complaint: message },
        );
        return { type: 'ReportProblem', sellerIds, complaint, at };
      },
    );
    const thanks = 'Thank you. We hold the money and will look into it.';
    return ok ? { ...answer, body: { success: true, message: thanks } } : answer;
  };
}
