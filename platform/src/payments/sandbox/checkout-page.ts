import { cardSign, flaskSign, logo, shieldSign, tickSign } from './checkout-signs.js';
import { checkoutStyle } from './checkout-style.js';

export interface CheckoutView {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  readonly status: 'abandoned' | 'failed' | 'pending' | 'success' | 'reversed';
  /** Where the forms are sent, to which `/pay`, `/decline` or `/cancel` is added. */
  readonly action: string;
  /** Back to the market, with the reference. */
  readonly returnUrl: string;
}

/** The test payment page: plain forms, no JavaScript, nothing about the buyer on it. */
export function checkoutPage(view: CheckoutView): string {
  const { amount, reference, status } = view;
  return page(`
<section class="panel">
<div class="brand">${logo}</div>
<h1>Pay Oja</h1>
<p class="price"><span class="n">₦</span>${naira(amount)}</p>
<p class="ref">Reference <span>${escapeHtml(reference)}</span></p>
${status === 'abandoned' || status === 'failed' ? openPart(view) : closedPart(view)}
${status === 'reversed' ? '' : `<p class="held">${shieldSign}Held until you confirm delivery</p>`}
</section>`);
}

/** For an access code that leads nowhere. */
export const notFoundPage = (): string =>
  page(`
<section class="panel">
<div class="brand">${logo}</div>
<h1 class="title">This payment page does not exist</h1>
<p>Go back to the market and start the payment again from the cart.</p>
</section>`);

function openPart({ status, amount, action }: CheckoutView): string {
  const declined =
    status === 'failed'
      ? '<p class="note" role="status">The bank declined this payment. You can try again.</p>'
      : '';
  return `${declined}
<dl class="card">
<div class="wide"><dt>Test card</dt><dd>4084 0840 8408 4081${cardSign}</dd></div>
<div><dt>Expiry</dt><dd>12 / 30</dd></div>
<div><dt>CVV</dt><dd>408</dd></div>
</dl>
${button(action, 'pay', 'buy', `Pay ₦${naira(amount)}`)}
${button(action, 'decline', 'line', 'Decline')}
${button(action, 'cancel', 'ghost', 'Cancel')}`;
}

function closedPart({ status, returnUrl }: CheckoutView): string {
  const text =
    status === 'pending'
      ? 'This payment is being worked on. There is nothing more to do here.'
      : status === 'reversed'
        ? 'This payment was made and has been given back.'
        : 'This payment has been made.';
  return `<p class="note done" role="status">${tickSign}${text}</p>
<a class="btn pri" href="${escapeHtml(returnUrl)}">Back to the market</a>`;
}

const button = (action: string, press: string, look: string, label: string): string =>
  `<form method="post" action="${escapeHtml(action)}/${press}"><button class="btn ${look}">${label}</button></form>`;

const page = (main: string): string => `<!doctype html>
<html lang="en-NG">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Test payment page | Oja</title>
<link rel="icon" href="data:,">
<style>${checkoutStyle}</style>
</head>
<body>
<header class="strip"><p>${flaskSign}<b>Test payment page.</b> No money moves.</p></header>
<main>${main}
</main>
</body>
</html>
`;

/** Kobo as naira, with kobo only where there are some. */
function naira(amount: number): string {
  const digits = amount % 100 === 0 ? 0 : 2;
  return (amount / 100).toLocaleString('en-NG', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
