import { nairaToKobo } from '@oja/domain/rules';
import type { Deps } from '../../deps.js';
import { type Order, orderStream } from '../order.js';
import type { Checkout } from './checkout.js';

/** Whether a request asks for this very order: the same buyer, goods and amount. */
export async function isSameOrder(
  { sealer }: Deps,
  { state }: Order,
  body: Checkout,
): Promise<boolean> {
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
