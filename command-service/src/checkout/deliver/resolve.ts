import type { ResolveDispute } from '@oja/domain';
import type { CommandContext } from '@oja/platform';
import { contextOf, sellerActor } from '../../commands.js';
import type { Deps, Handler } from '../../deps.js';
import { failedAnswer } from '../../refusals.js';
import { command, nowOf, type OrderHandled } from '../commands.js';
import { buyerSubject, loadOrder, orderStream } from '../order.js';
import { verifyDisputed } from '../pay/verify-payment.js';

export interface Settlement {
  readonly transactionId: string;
  readonly sellerId: string;
  readonly outcome: ResolveDispute['outcome'];
  /** Why; may speak of the buyer, so it is sealed as theirs. */
  readonly note?: string;
  /** Seller id of the head admin, or 'operator'. */
  readonly by: string;
}

/**
 * Settles the dispute about one seller's goods, or what nobody has confirmed for long: the money is
 * released or goes back.
 */
export async function settleDispute(
  deps: Deps,
  settlement: Settlement,
  context: CommandContext,
): Promise<OrderHandled> {
  const { transactionId, note, ...settled } = settlement;
  const at = nowOf(deps);
  // Nothing is sealed for an order that is not there: it would make a key.
  const order = await loadOrder(deps, transactionId);
  if (order !== null) await verifyDisputed(deps, order.state);
  const hasNote = note !== undefined && order !== null;
  const sealed = hasNote
    ? await deps.sealer.seal(buyerSubject(transactionId), orderStream(transactionId), { note })
    : {};
  const what = { type: 'ResolveDispute', ...settled, ...sealed, at } as const;
  return command(deps, transactionId, what, context, order?.known);
}

const told = {
  release: 'The dispute is settled: the money is released to the seller',
  refund: 'The dispute is settled: the money goes back to the buyer',
} as const;

export function resolveDispute(deps: Deps): Handler<'resolveDispute'> {
  return async (request) => {
    const { body, params, actor } = request;
    const { note, ...settled } = body;
    const handled = await settleDispute(
      deps,
      {
        ...settled,
        transactionId: params.id,
        by: actor.sellerId,
        ...(note === undefined ? {} : { note }),
      },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = told[body.outcome];
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
}
