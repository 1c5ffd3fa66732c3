import { randomBytes } from 'node:crypto';
import {
  isAmountChanged,
  orderRefusal,
  type Refusal,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { koboToNaira, nairaToKobo } from '@oja/domain/rules';
import type { Failed } from '@oja/http';
import type { Loaded } from '@oja/platform';
import { contextOf } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { failedAnswer, refusalAnswer } from '../../refusals.js';
import { BUYER, command, nowOf } from '../commands.js';
import { buyerSubject, loadOrder, type Order, orderStream, transactionIdOf } from '../order.js';
import type { Checkout } from './checkout.js';
import { goneText, resolveGoods } from './goods.js';

interface Placing {
  readonly body: Checkout;
  readonly commandId: string;
  readonly correlationId: string;
}

type Placed =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly failed: Failed };

const SECRET_BYTES = 16;

const REUSED: Failed = {
  status: 422,
  message: 'This Idempotency-Key was already used for a different order',
  code: 'idempotency_key_reused',
};

/**
 * Places an order once. A repetition finds it in its stream and gets it as it was placed, whatever has
 * become of the goods since; only for the very same buyer and goods, since the answer opens the order.
 */
export async function placeOrder(deps: Deps, placing: Placing): Promise<Placed> {
  const transactionId = transactionIdOf(placing.commandId);
  const earlier = await loadOrder(deps, transactionId);
  const order = earlier ?? (await placeNew(deps, placing, transactionId));
  if ('status' in order) return { ok: false, failed: order };
  if (await isSameOrder(deps, order, placing.body)) return { ok: true, order };
  return { ok: false, failed: REUSED };
}

async function placeNew(
  deps: Deps,
  placing: Placing,
  transactionId: string,
): Promise<Order | Failed> {
  const { body } = placing;
  const goods = await resolveGoods(deps, body.buyerItems);
  if (!goods.ok) {
    const details = { gone: goods.gone };
    return { status: 409, code: 'goods_gone', message: goneText(goods.gone), details };
  }
  const { lines } = goods;
  const amount = nairaToKobo(body.amount);
  // A refused order leaves no key behind.
  const refusal = orderRefusal(lines, amount);
  if (refusal !== null) return refusedOrder(refusal);

  const sealed = await deps.sealer.seal(buyerSubject(transactionId), orderStream(transactionId), {
    fullName: body.full_name,
    email: body.email,
    homeAddress: body.home_address,
    phoneNumber: body.phone_number,
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
  });
  const at = nowOf(deps);
  const what = { type: 'PlaceOrder', transactionId, lines, amount, ...sealed, at } as const;
  const nothingYet: Loaded<TransactionState> = {
    state: transaction.initial,
    revision: 'no-stream',
    position: null,
    lastTime: null,
    commands: new Set(),
  };
  const context = contextOf(placing, BUYER);
  const handled = await command(deps, transactionId, what, context, nothingYet);
  if (!handled.ok)
    return handled.conflict ? failedAnswer(handled).failed : refusedOrder(handled.refusal);
  const { state, position, revision } = handled;
  if (state.status === 'none' || position === null) throw new Error('a placed order is not there');
  const lastTime = Date.parse(at);
  const known = { state, position, revision, lastTime, commands: new Set([placing.commandId]) };
  return { state, position, known };
}

/** A total that has changed is told in naira, so that the form can show it and ask again. */
function refusedOrder(refusal: Refusal): Failed {
  const { failed } = refusalAnswer(refusal);
  if (!isAmountChanged(refusal)) return failed;
  return { ...failed, details: { amount: koboToNaira(refusal.amount) } };
}

/** Whether a request asks for this very order: the same buyer, goods and amount. */
async function isSameOrder({ sealer }: Deps, { state }: Order, body: Checkout): Promise<boolean> {
  const wanted = body.buyerItems.map((item) => `${item.product_id} ${item.quantity}`);
  const placed = state.lines.map((line) => `${line.productId} ${line.quantity}`);
  if (wanted.join() !== placed.join() || nairaToKobo(body.amount) !== state.amount) return false;

  const stream = orderStream(state.transactionId);
  const { fullName, email, homeAddress, phoneNumber } = state.buyer;
  const opened = await sealer.openMany([
    { stream, field: 'fullName', value: fullName },
    { stream, field: 'email', value: email },
    { stream, field: 'homeAddress', value: homeAddress },
    { stream, field: 'phoneNumber', value: phoneNumber },
  ]);
  const given = [body.full_name, body.email, body.home_address, body.phone_number];
  return given.every((value, index) => value === opened[index]);
}
