import type { TransactionDocument } from '@oja/contracts/models';
import { formatNaira } from '@oja/domain/rules';
import { letter, link, paragraph, table, type Words } from './letter.js';

/** An order with what the buyer's key opens. */
export interface OrderToTell {
  readonly order: TransactionDocument;
  /** Null when it cannot be read any more. */
  readonly buyerName: string | null;
  /** Where the buyer says whether the goods have come: only they may have it. */
  readonly confirmationAddress: string;
}

/** Once, when a payment is verified. */
export function receipt({ order, buyerName, confirmationAddress }: OrderToTell): Words {
  return letter(`Your Oja order: ${formatNaira(order.amount)} received`, [
    paragraph(greeting(buyerName)),
    paragraph(
      'Thank you for your order. Your payment has arrived, and the sellers have been told.',
    ),
    table(rows(order)),
    paragraph(`Payment reference: ${order.reference}`),
    paragraph(
      'We hold your money until you tell us that the goods have come. When they have, open this ' +
        'page and choose Yes; if something is missing or wrong, you can say so there too.',
    ),
    link('Confirm the delivery', confirmationAddress),
    paragraph('The link is yours alone: whoever has it can confirm the delivery. Please keep it.'),
    paragraph('Oja'),
  ]);
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Africa/Lagos' });

/** Some days after the payment, while nothing was confirmed. */
export function reminder({ order, buyerName, confirmationAddress }: OrderToTell): Words {
  const paidOn = longDate.format(new Date(order.paidAt ?? order.placedAt));
  return letter('Has your Oja order arrived?', [
    paragraph(greeting(buyerName)),
    paragraph(
      `On ${paidOn} you paid ${formatNaira(order.amount)} for the goods below, and we have not ` +
        'heard from you since. The sellers are paid only once you confirm the delivery.',
    ),
    table(order.lines.map(({ name, quantity }) => [name, `× ${quantity}`])),
    paragraph('If everything has come, please say so here. If not, tell us there what is wrong.'),
    link('Confirm the delivery or report a problem', confirmationAddress),
    paragraph('Oja'),
  ]);
}

function greeting(name: string | null): string {
  return name === null ? 'Hello,' : `Hello ${name},`;
}

function rows(order: TransactionDocument): readonly (readonly [string, string])[] {
  return [
    ...order.lines.map(
      ({ name, quantity, price, businessName }) =>
        [`${quantity} × ${name} (${businessName})`, formatNaira(price * quantity)] as const,
    ),
    ['Delivery', order.deliveryFee === 0 ? 'free' : formatNaira(order.deliveryFee)],
    ['Paid', formatNaira(order.amount)],
  ];
}
