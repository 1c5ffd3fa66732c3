import {
  type ResolveDispute,
  sellerActor,
  streamNames,
  type TransactionCommand,
} from '@oja/domain';
import { type CommandContext, nowOf } from '@oja/platform';
import { BUYER, contextFor, derivedId, failedAnswer } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { erasePerson } from '../erasure.js';
import {
  buyerSubject,
  loadOrder,
  nonBlank,
  noSuchOrderAnswer,
  type Order,
  type OrderResult,
  openOrder,
  runOrderCommand,
} from './order.js';
import { verifyDisputed, wasDisputed } from './verify-payment.js';

type CommandRequest = { readonly commandId: string; readonly correlationId: string };

/**
 * The order as it was read before its payment was verified; undefined where it must be read again, since the payment may
 * have been taken back or have come back meanwhile. A refusal that is based on an older state would stand.
 */
const reusableState = ({ state, known }: Order) => (wasDisputed(state) ? undefined : known);

/** Runs one command for the holder of an order key, and answers with `body` once that is done. */
async function runForOrderHolder<B>(
  deps: Deps,
  orderKey: string,
  request: CommandRequest,
  body: B,
  what: (at: string, transactionId: string) => TransactionCommand | Promise<TransactionCommand>,
) {
  const order = await openOrder(deps, orderKey);
  if (order === null) return noSuchOrderAnswer;
  const { transactionId } = order.state;
  // If the provider does not answer, it is asked again before anything is paid out.
  await verifyDisputed(deps, order.state);
  const at = nowOf(deps);
  const handled = await runOrderCommand(
    deps,
    transactionId,
    await what(at, transactionId),
    contextFor(request, BUYER),
    reusableState(order),
  );
  if (!handled.ok) return failedAnswer(handled);
  return { status: 200, body, position: handled.position } as const;
}

const done = { success: true } as const;

/** The buyer answers 'Yes': the held money is released to the sellers. */
export function confirmDelivery(deps: Deps): Handler<'confirmDelivery'> {
  return (request) => {
    const { transactionId: orderKey } = request.params;
    const confirmed = { ok: true } as const;
    return runForOrderHolder(deps, orderKey, request, confirmed, (at) => ({
      type: 'ConfirmDelivery',
      at,
    }));
  };
}

/** Sends the receipt again to the address in the order. The event creates the obligation to send it. */
export function sendReceipt(deps: Deps): Handler<'sendReceipt'> {
  return (request) =>
    runForOrderHolder(deps, request.params.orderKey, request, done, (at) => ({
      type: 'RequestReceipt',
      requestId: derivedId(request.commandId, 'receipt'),
      at,
    }));
}

/** The buyer answers 'No': nothing has arrived yet. */
export function reportNotReceived(deps: Deps): Handler<'reportNotReceived'> {
  return (request) =>
    runForOrderHolder(deps, request.params.orderKey, request, done, (at) => ({
      type: 'ReportNotReceived',
      at,
    }));
}

/** Reports a problem. The complaint is the buyer's own text, so it is sealed with their key. */
export function reportProblem(deps: Deps): Handler<'reportProblem'> {
  const thanks = { ...done, message: 'Thank you. We hold the money and will look into it.' };
  return (request) => {
    const { sellerIds, message } = request.body;
    const { orderKey } = request.params;
    return runForOrderHolder(deps, orderKey, request, thanks, async (at, transactionId) => {
      const { complaint } = await deps.sealer.seal(
        buyerSubject(transactionId),
        streamNames.transaction(transactionId),
        { complaint: message },
      );
      return { type: 'ReportProblem', sellerIds, complaint, at };
    });
  };
}

interface Settlement {
  readonly transactionId: string;
  readonly sellerId: string;
  readonly outcome: ResolveDispute['outcome'];
  /** The reason. It may mention the buyer, so it is sealed with their key. */
  readonly note?: string | undefined;
  /** The head admin's seller id, or 'operator'. */
  readonly by: string;
}

/**
 * Settles one seller's share that is disputed, or that nobody has confirmed for a long time: the
 * money is released or refunded.
 */
export async function settleDispute(
  deps: Deps,
  settlement: Settlement,
  context: CommandContext,
): Promise<OrderResult> {
  const { transactionId, note: given, ...settled } = settlement;
  const note = nonBlank(given);
  const at = nowOf(deps);
  // Do not seal anything for an order that does not exist: sealing would create a key.
  const order = await loadOrder(deps, transactionId);
  if (order !== null) await verifyDisputed(deps, order.state);
  const subject = buyerSubject(transactionId);
  // An erased buyer's key is destroyed, so no note can be sealed. The order is settled without it.
  const isBuyerGone = await deps.keys.isDestroyed(subject);
  const isSealed = note !== undefined && order !== null && !isBuyerGone;
  const sealed = isSealed
    ? await deps.sealer.seal(subject, streamNames.transaction(transactionId), { note })
    : {};
  const gone = isBuyerGone ? { isBuyerGone } : {};
  const what = { type: 'ResolveDispute', ...settled, ...sealed, ...gone, at } as const;
  return runOrderCommand(
    deps,
    transactionId,
    what,
    context,
    order ? reusableState(order) : undefined,
  );
}

const settledMessages = {
  release: 'It is settled: the money is released to the seller',
  refund: 'It is settled: the money goes back to the buyer',
} as const;

/** A head admin settles a seller's share of an order: released to the seller, or refunded to the buyer. */
export function resolveDispute(deps: Deps): Handler<'resolveDispute'> {
  return async (request) => {
    const { body, params, actor } = request;
    const by = actor.sellerId;
    const settlement = { ...body, transactionId: params.id, by };
    const handled = await settleDispute(deps, settlement, contextFor(request, sellerActor(by)));
    if (!handled.ok) return failedAnswer(handled);
    const message = settledMessages[body.outcome];
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
}

/** Removes the record of a delivered order and erases its buyer. */
export async function removeRecord(
  deps: Deps,
  transactionId: string,
  by: string,
  context: CommandContext,
): Promise<OrderResult> {
  const at = nowOf(deps);
  const handled = await runOrderCommand(
    deps,
    transactionId,
    { type: 'RemoveBuyerRecord', by, at },
    context,
  );
  if (handled.ok) {
    // The event has created the obligation, so after a failure here the sweep erases the buyer.
    await erasePerson(deps, buyerSubject(transactionId)).catch((error: unknown) =>
      deps.logger.warn(
        { err: error, order: transactionId },
        'the personal data of a buyer could not be erased yet: the sweep tries again',
      ),
    );
  }
  return handled;
}

/** A head admin removes the record of a delivered order. */
export function removeBuyerRecord(deps: Deps): Handler<'removeBuyerRecord'> {
  return async (request) => {
    const { params, actor } = request;
    const by = actor.sellerId;
    const handled = await removeRecord(
      deps,
      params.buyerId,
      by,
      contextFor(request, sellerActor(by)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const body = { success: true, message: 'The delivered record was removed' } as const;
    return { status: 200, body, position: handled.position };
  };
}
