import type { TransactionDocument } from '@oja/contracts/models';
import { pagePath } from '@oja/contracts/pages';
import { shareIndexOf } from '@oja/domain';
import { formatMoney, formatNaira } from '@oja/domain/rules';

/** The content of a letter, without its recipient. */
export interface Words {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

type Part =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Each row: a label and an amount. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly label: string; readonly address: string };

export const paragraph = (text: string): Part => ({ kind: 'paragraph', text });
export const table = (rows: readonly (readonly [string, string])[]): Part => ({
  kind: 'table',
  rows,
});
export const link = (label: string, address: string): Part => ({ kind: 'link', label, address });

/** Renders a letter as plain text, and as simple HTML that even old mail programs can show. */
export function letter(title: string, parts: readonly Part[]): Words {
  return {
    title,
    text: `${parts.map(plain).join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>`,
      '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#222">',
      ...parts.map(dressed),
      '</body></html>',
      '',
    ].join('\n'),
  };
}

function plain(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return part.text;
    case 'table':
      return part.rows.map(([what, amount]) => `  ${what}: ${amount}`).join('\n');
    case 'link':
      return `${part.label}:\n${part.address}`;
  }
}

function dressed(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p>${escaped(part.text)}</p>`;
    case 'table':
      return `<table cellpadding="4">${part.rows.map(row).join('')}</table>`;
    case 'link':
      return `<p><a href="${escaped(part.address)}">${escaped(part.label)}</a></p>`;
  }
}

function row([what, amount]: readonly [string, string]): string {
  return `<tr><td>${escaped(what)}</td><td align="right">${escaped(amount)}</td></tr>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** An order with the buyer's sealed values opened. */
export interface OrderToTell {
  readonly order: TransactionDocument;
  /** Null once the buyer's key is destroyed. */
  readonly buyerName: string | null;
  /** Page where the buyer confirms the delivery. It contains the order's secret: only the buyer may get it. */
  readonly confirmationAddress: string;
}

/** The receipt, sent when a payment is verified, and again when the buyer asks for it. */
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

/**
 * Called only when a letter needs it: a formatter made at import would load Intl for code that only
 * counts letters.
 */
const longDate = (at: string) =>
  new Date(at).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Africa/Lagos' });

/** The goods were sold out, or went with their seller, before the payment arrived. `amount`: the refund, in kobo. */
export function soldOut(
  { order, buyerName }: Pick<OrderToTell, 'order' | 'buyerName'>,
  amount: number,
): Words {
  return letter(`No longer for sale: your ${formatNaira(amount)} go back to you`, [
    paragraph(greeting(buyerName)),
    paragraph(
      'Your payment has arrived, but some of these goods were sold out or taken off the market before it came. ' +
        'Nothing was ordered, and the whole amount goes back the way it came, which takes your bank some days.',
    ),
    table(order.lines.map(({ name, quantity }) => [name, `× ${quantity}`])),
    table([['Goes back to you', formatNaira(amount)]]),
    paragraph(`Payment reference: ${order.reference}`),
    paragraph('Oja'),
  ]);
}

/** Sent some days after the payment while the buyer has neither confirmed nor complained. */
export function reminder({ order, buyerName, confirmationAddress }: OrderToTell): Words {
  const paidOn = longDate(order.paidAt ?? order.placedAt);
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

export function greeting(name: string | null): string {
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

/** The letters below go to support. They must not contain anything about the buyer. */

const openOrder = (publicUrl: string, { transactionId }: TransactionDocument) =>
  link('The order', `${publicUrl}${pagePath('transaction', { transactionId })}`);

/** A payment arrived that does not pay for the order. */
export function heldAside(order: TransactionDocument, publicUrl: string): Words {
  const asides = order.refunds.filter((refund) => refund.of === 'held-aside');
  return letter(`[Money] Held aside: a payment for order ${order.transactionId}`, [
    paragraph(
      'A payment came in for this order that does not pay for it: the amount or the currency is wrong, ' +
        'the order was paid before, its goods were sold out, or its buyer or a seller was forgotten. It is held aside and refunded in full without your help.',
    ),
    table(
      asides.map(({ amount, currency, status }) => [
        `Refund ${status}`,
        formatMoney(amount, currency),
      ]),
    ),
    paragraph(
      'Look again tomorrow: while "oja status" names money that is held aside, it has not arrived.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** Refunds that the provider refused or could not make; null when the order has no failed refund. */
export function refundFailed(order: TransactionDocument, publicUrl: string): Words | null {
  const failed = order.refunds.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return null;
  return letter(`[Money] Not given back: a refund of order ${order.transactionId}`, [
    paragraph(
      'The payment provider did not make a refund that is owed to the buyer of this order. Oja asks for ' +
        'it again, ever less often, at least once a day.',
    ),
    table(failed.map(({ amount, status }) => [`Refund ${status}`, formatNaira(amount)])),
    paragraph(
      `What the provider said is shown by "oja events show transaction-${order.transactionId}". A refund of ` +
        'the same amount that is made by hand at the provider is recognised, and nothing more is asked for.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** A transfer that an operator had given up and settled otherwise arrived after all. */
export function paidTwice(order: TransactionDocument, publicUrl: string, payoutId: string): Words {
  const share = order.shares[shareIndexOf(order.transactionId, payoutId) ?? -1];
  return letter(`[Money] Paid twice: a seller of order ${order.transactionId}`, [
    paragraph(
      'A transfer to a seller of this order was given up by whoever runs the market, and its share was ' +
        'paid by other means or went back to the buyer. The transfer has arrived after all, at the loss of ' +
        'the market. Ask the seller for it: Oja takes nothing from what they are owed for other orders.',
    ),
    table(share === undefined ? [] : [[share.businessName, formatNaira(share.share)]]),
    paragraph(
      `The transfer is ${payoutId} at the payment provider; who gave it up, and why, and whether the bank has ` +
        `returned it since, is shown by "oja events show transaction-${order.transactionId}".`,
    ),
    openOrder(publicUrl, order),
  ]);
}

/** A chargeback. What the sellers were already paid is the market's loss. */
export function takenBack(order: TransactionDocument, publicUrl: string): Words {
  const paid = order.shares.filter(({ status }) => status === 'paid-out');
  return letter(`[Money] Taken back: the payment of order ${order.transactionId}`, [
    paragraph(
      `The bank of the cardholder took back the payment of ${formatNaira(order.amount)}. What was still ` +
        'held for the sellers went with it; nothing more is paid out for this order.',
    ),
    ...(paid.length === 0
      ? []
      : [
          paragraph('These sellers were paid before, at the loss of the market:'),
          table(paid.map(({ businessName, share }) => [businessName, formatNaira(share)])),
        ]),
    paragraph('Evidence against it is handed in at the provider, within the days it gives.'),
    openOrder(publicUrl, order),
  ]);
}
