import type { CommandContext } from '@oja/platform';
import { contextOf, failedAnswer, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { command, nowOf, type OrderHandled } from './commands.js';
import { buyerSubject } from './order.js';

/**
 * Destroys a person's key and what is kept of their letters. The key first: no letter can follow it.
 * @throws KeyLingers when it has to be done again; the letters are gone then too.
 */
export async function forget(
  { keys, mail }: Pick<Deps, 'keys' | 'mail'>,
  subject: string,
): Promise<void> {
  try {
    await keys.destroy(subject);
  } finally {
    await mail.forget(subject);
  }
}

/** Removes a delivered record. A buyer is known by their order alone, so their id is the order's. */
export async function removeRecord(
  deps: Deps,
  transactionId: string,
  by: string,
  context: CommandContext,
): Promise<OrderHandled> {
  const at = nowOf(deps);
  const handled = await command(
    deps,
    transactionId,
    { type: 'RemoveBuyerRecord', by, at },
    context,
  );
  if (handled.ok) {
    // The event obliges us to it, so a failure here is made good by the sweep.
    await forget(deps, buyerSubject(transactionId)).catch((error: unknown) =>
      deps.logger.warn({ err: error, order: transactionId }, 'a buyer is still to be forgotten'),
    );
  }
  return handled;
}

/** An admin removes the record of a buyer whose order was delivered. */
export function removeBuyerRecord(deps: Deps): Handler<'removeBuyerRecord'> {
  return async (request) => {
    const { params, actor } = request;
    const by = actor.sellerId;
    const handled = await removeRecord(
      deps,
      params.buyerId,
      by,
      contextOf(request, sellerActor(by)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const body = { success: true, message: 'The delivered record was removed' } as const;
    return { status: 200, body, position: handled.position };
  };
}
