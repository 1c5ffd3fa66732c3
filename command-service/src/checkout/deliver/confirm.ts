import type { TransactionCommand } from '@oja/domain';
import { contextOf } from '../../commands.js';
import type { Deps, Handler } from '../../deps.js';
import { failedAnswer } from '../../refusals.js';
import { BUYER, command, nowOf } from '../commands.js';
import { notYours, openOrder } from '../order-key.js';
import { verifyDisputed } from '../pay/verify-payment.js';

type Asked = { readonly commandId: string; readonly correlationId: string };

/** One command of whoever holds an order's key; the answer's parts that all of them share. */
export async function ofHolder(
  deps: Deps,
  orderKey: string,
  request: Asked,
  what: (transactionId: string, at: string) => Promise<TransactionCommand>,
) {
  const order = await openOrder(deps, orderKey);
  if (order === null) return { ok: false, answer: notYours } as const;
  const { transactionId } = order.state;
  // Where the provider is silent it is asked again before anything is paid out.
  await verifyDisputed(deps, order.state);
  const at = nowOf(deps);
  const handled = await command(
    deps,
    transactionId,
    await what(transactionId, at),
    contextOf(request, BUYER),
    order.known,
  );
  if (!handled.ok) return { ok: false, answer: failedAnswer(handled) } as const;
  const { position } = handled;
  return { ok: true, answer: { status: 200, position } } as const;
}

/** 'Yes': what is held goes to the sellers. */
export function confirmDelivery(deps: Deps): Handler<'confirmDelivery'> {
  return async (request) => {
    const { ok, answer } = await ofHolder(
      deps,
      request.params.transactionId,
      request,
      async (_, at) => ({ type: 'ConfirmDelivery', at }),
    );
    return ok ? { ...answer, body: { ok: true } } : answer;
  };
}

/** 'No': nothing has come yet. */
export function reportNotReceived(deps: Deps): Handler<'reportNotReceived'> {
  return async (request) => {
    const { ok, answer } = await ofHolder(
      deps,
      request.params.orderKey,
      request,
      async (_, at) => ({ type: 'ReportNotReceived', at }),
    );
    return ok ? { ...answer, body: { success: true } } : answer;
  };
}
