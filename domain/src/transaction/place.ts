import {
  conflict,
  type Decision,
  decided,
  invalid,
  invalidField,
  type Refusal,
  refused,
} from '../decider.js';
import { acceptableAmounts } from '../rules/delivery-fee.js';
import { limits } from '../rules/limits.js';
import { formatNaira, sellerShare } from '../rules/money.js';
import { paymentReference } from '../rules/references.js';
import type { PlaceOrder } from './commands.js';
import type { OrderLine, Share, TransactionEvent } from './events.js';

/** The buyer agreed to another amount than the goods cost now: they are shown the right one and asked again. */
export type AmountChanged = Refusal & { readonly code: 'amount_changed'; readonly amount: number };

export const isAmountChanged = (refusal: Refusal): refusal is AmountChanged =>
  refusal.code === 'amount_changed';

const amountChanged = (amount: number): AmountChanged => ({
  ...conflict('amount_changed', 'The total has changed: look at the new total and pay again'),
  kind: 'invalid',
  code: 'amount_changed',
  amount,
});

/** What the lines cost, in kobo. */
export const subtotalOf = (lines: readonly OrderLine[]) =>
  lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0);

/** Each seller's part, in the order in which they first appear. */
export function sharesOf(lines: readonly OrderLine[]): readonly Share[] {
  const shares = new Map<string, Share>();
  for (const { sellerId, businessName, unitPrice, priceKind, quantity } of lines) {
    const before = shares.get(sellerId);
    shares.set(sellerId, {
      sellerId,
      businessName,
      price: (before?.price ?? 0) + unitPrice * quantity,
      share: (before?.share ?? 0) + sellerShare(unitPrice, priceKind) * quantity,
    });
  }
  return [...shares.values()];
}

function linesRefusal(lines: readonly OrderLine[]): Refusal | null {
  if (lines.length === 0) return invalidField('buyerItems', 'the cart is empty');
  if (lines.length > limits.cartLines.max)
    return invalidField('buyerItems', `at most ${limits.cartLines.max} different goods an order`);
  if (new Set(lines.map((line) => line.productId)).size < lines.length)
    return invalidField('buyerItems', 'the same product stands in it twice');
  const { min, max } = limits.quantity;
  if (lines.some(({ quantity }) => quantity < min || quantity > max))
    return invalidField('buyerItems', `a quantity is ${min} to ${max}`);
  return null;
}

/** Why these goods cannot be ordered for this amount: asked before anything of the buyer is sealed. */
export function orderRefusal(lines: readonly OrderLine[], amount: number): Refusal | null {
  const wrong = linesRefusal(lines);
  if (wrong) return wrong;
  const subtotal = subtotalOf(lines);
  const acceptable = acceptableAmounts(subtotal);
  if (!acceptable.includes(amount))
    return amountChanged(acceptable[acceptable.length - 1] ?? subtotal);
  if (amount > limits.orderAmount.max)
    return invalid(
      'order_too_large',
      `An order is at most ${formatNaira(limits.orderAmount.max)}: order some goods separately`,
    );
  return null;
}

export function place(command: PlaceOrder): Decision<TransactionEvent> {
  const { type: _, lines, amount, ...buyer } = command;
  const refusal = orderRefusal(lines, amount);
  if (refusal) return refused(refusal);
  const subtotal = subtotalOf(lines);
  return decided({
    type: 'OrderPlaced',
    data: {
      ...buyer,
      lines: [...lines],
      shares: [...sharesOf(lines)],
      deliveryFee: amount - subtotal,
      amount,
      currency: 'NGN',
      reference: paymentReference(command.transactionId, 1),
    },
  });
}
