import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { SandboxContext } from './context.js';
import { type TransactionRecord, transactionStatus } from './store.js';
import { noticeOfPayment, resendWebhooks } from './webhooks.js';

const PATH = /^\/checkout\/([0-9a-f]{20})(?:\/(pay|decline|cancel|resend))?$/;

/** Query parameter that makes the page say that the webhooks were sent again. */
const AGAIN = 'again';

/**
 * Serves the page that a shopper sees in place of Paystack's, and handles its buttons: pay,
 * decline, cancel, and after the payment "send the webhook again". Anybody who knows the access
 * code may press them. Returns whether the path is the checkout's.
 */
export async function answerCheckout(
  context: SandboxContext,
  ctx: Context,
  path: string,
): Promise<boolean> {
  const [, accessCode, press] = PATH.exec(path) ?? [];
  if (accessCode === undefined) {
    // A person may open a truncated link: answer with a page, not with the API's JSON error.
    if (ctx.method !== 'GET' || !path.startsWith('/checkout/')) return false;
    notFound(ctx);
    return true;
  }
  const record = await context.store.transaction(await context.store.referenceOf(accessCode));
  if (record === null) {
    notFound(ctx);
    return true;
  }
  ctx.set(pageHeaders(record.callbackUrl));
  if (press === undefined) {
    const { reference, amount } = record;
    const status = transactionStatus(record, context.clock.now());
    ctx.type = 'html';
    ctx.body = checkoutPage({
      reference,
      amount,
      status: status === 'reversal_pending' ? 'success' : status,
      action: `${context.address}/checkout/${accessCode}`,
      returnUrl: returnUrl(record),
      isSentAgain: ctx.query[AGAIN] !== undefined,
    });
  } else if (ctx.method !== 'POST') {
    goTo(ctx, `${context.address}/checkout/${accessCode}`);
  } else {
    ctx.req.resume();
    if (press === 'pay') await pay(context, record.reference);
    if (press === 'decline') await decline(context, record.reference);
    if (press === 'resend') {
      await resendWebhooks(context, record.reference);
      goTo(ctx, `${context.address}/checkout/${accessCode}?${AGAIN}`);
    } else goTo(ctx, returnUrl(record));
  }
  return true;
}

function notFound(ctx: Context): void {
  ctx.set(pageHeaders(null));
  ctx.status = 404;
  ctx.type = 'html';
  ctx.body = notFoundPage();
}

/** A payment succeeds once: pressing again, or in a second tab, changes nothing and sends nothing. */
async function pay(context: SandboxContext, reference: string): Promise<void> {
  const now = context.clock.now();
  const found = await context.store.transaction(reference);
  if (found === null || !isOpen(found, now)) return;
  const late = await context.faults.take('late-success', reference);
  const settlesAt = now + (late?.delayMs ?? 0);
  const paid = await context.store.changeTransaction(reference, (record) =>
    isOpen(record, now) ? { ...record, outcome: 'success', settlesAt } : null,
  );
  if (paid === null) return;
  await context.notify(noticeOfPayment(paid));
}

/** A decline is not final: the shopper may come back and pay. No webhook reports it. */
async function decline(context: SandboxContext, reference: string): Promise<void> {
  const now = context.clock.now();
  await context.store.changeTransaction(reference, (record) =>
    isOpen(record, now) ? { ...record, outcome: 'failed', settlesAt: now } : null,
  );
}

const isOpen = (record: TransactionRecord, now: number): boolean =>
  ['abandoned', 'failed'].includes(transactionStatus(record, now));

function returnUrl({ callbackUrl, reference }: TransactionRecord): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('trxref', reference);
  url.searchParams.set('reference', reference);
  return url.href;
}

function goTo(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
}

/** The colours and sizes of the market's design that this one page needs, light and dark. */
const checkoutStyle = `
:root{color-scheme:light;--paper:#FBF6EC;--surface:#FFFDF8;--sunken:#F3EADB;--line:#E3D7C3;--edge:#8A7C66;--ink:#151B3B;--muted:#5A5B6B;--indigo:#24357E;--indigo-hover:#1A2762;--indigo-soft:#E6EAF7;--on-indigo:#FFFFFF;--buy:#F79A1C;--buy-hover:#E4860A;--on-buy:#1B1A2E;--safe:#0A6A45;--safe-soft:#DDF0E4;--danger:#B3231B;--danger-soft:#FBE4DF;--focus:#2F56D8;--gutter:12px}
@media(prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#0F1329;--surface:#171D3B;--sunken:#0B0E20;--line:#2B3359;--edge:#737DAE;--ink:#F6F0E4;--muted:#B4B6CB;--indigo:#A9B9F5;--indigo-hover:#C4D0FA;--indigo-soft:#232C57;--on-indigo:#10153A;--buy:#F9A533;--buy-hover:#FFBA5C;--safe:#6BD6A2;--safe-soft:#12362C;--danger:#FF9D91;--danger-soft:#43201F;--focus:#8FB0FF}}
@media(min-width:480px){:root{--gutter:16px}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:400 .875rem/1.25rem "Oja Sans",system-ui,Roboto,sans-serif;font-variant-numeric:tabular-nums}
h1,p,dl,dd{margin:0}
.i{width:20px;height:20px;flex:none;stroke:currentColor;stroke-width:1.9;fill:none;stroke-linecap:round;stroke-linejoin:round}.i.s{width:16px;height:16px}
.strip{background:var(--buy);color:var(--on-buy)}
.strip p{display:flex;align-items:center;gap:8px;min-height:40px;max-width:480px;margin-inline:auto;padding:4px var(--gutter)}
main{max-width:480px;margin-inline:auto;padding:20px var(--gutter)}
.panel{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:16px}
.logo{display:block;height:38px;margin-bottom:14px;color:var(--indigo)}
h1{font-size:.8125rem;font-weight:400;line-height:1.125rem;color:var(--muted)}
h1.title{font-size:1.125rem;font-weight:700;line-height:1.5rem;color:var(--ink);margin-bottom:6px}
.price{font-weight:760;font-size:1.875rem;line-height:2.25rem;letter-spacing:-.02em}
.n{font-weight:500;font-size:.92em;margin-right:.06em}
.ref{font-size:.75rem;line-height:1rem;color:var(--muted);overflow-wrap:anywhere}
.ref span{font-family:ui-monospace,"Roboto Mono","DejaVu Sans Mono",monospace}
.card{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:16px 0}
.card .wide{grid-column:1/-1}
dt{font-weight:600;margin-bottom:6px}
dd{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:48px;padding:10px 14px;border:1.5px solid var(--line);border-radius:10px;background:var(--sunken);font-size:1rem;line-height:1.5rem}
.btn{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;margin-top:8px;padding:0 18px;border:1.5px solid transparent;border-radius:10px;background:none;color:var(--indigo);font:inherit;font-weight:650;font-size:.9375rem;line-height:1.25rem;text-decoration:none;cursor:pointer}
.btn:active{transform:translateY(1px)}
.buy{min-height:52px;background:var(--buy);color:var(--on-buy);font-size:1.0625rem}.buy:hover{background:var(--buy-hover)}
.line{border-color:var(--edge);background:var(--surface);color:var(--ink)}.line:hover{border-color:var(--indigo);color:var(--indigo)}
.ghost:hover{background:var(--indigo-soft)}
.pri{background:var(--indigo);color:var(--on-indigo)}.pri:hover{background:var(--indigo-hover)}
:focus-visible{outline:2.5px solid var(--focus);outline-offset:2px}
.note{display:flex;align-items:center;gap:8px;margin:16px 0;padding:12px 14px;border-radius:10px;background:var(--danger-soft);color:var(--danger);font-weight:600}
.note.done{background:var(--safe-soft);color:var(--safe)}
.held{display:flex;align-items:center;gap:6px;margin-top:12px;color:var(--safe);font-weight:600;font-size:.8125rem;line-height:1.125rem}
@media(min-width:768px){.panel{padding:20px}}
@media(prefers-reduced-motion:reduce){.btn:active{transform:none}}
`;

const sign = (paths: string, size = ''): string =>
  `<svg class="i${size}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

/** Icons from Lucide (ISC licence). */
const flaskSign = sign(
  '<path d="M14 2v6a2 2 0 0 0 .245.96l5.51 10.08A2 2 0 0 1 18 22H6a2 2 0 0 1-1.755-2.96l5.51-10.08A2 2 0 0 0 10 8V2"/><path d="M6.453 15h11.094"/><path d="M8.5 2h7"/>',
  ' s',
);
const cardSign = sign(
  '<rect width="20" height="14" x="2" y="5" rx="2"/><path d="M2 10h20"/><path d="M6 14h2"/>',
);
const tickSign = sign('<circle cx="12" cy="12" r="10"/><path d="m16 9-5.5 5.5L8 12"/>');
const shieldSign = sign(
  '<path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/>',
  ' s',
);

/** The market's logo; its colours come from the page's CSS variables. */
const logo = `<svg class="logo" viewBox="0 0 92 56" role="img" aria-label="Oja"><circle cx="24" cy="22" r="14" fill="none" stroke="currentColor" stroke-width="10"/><g fill="var(--surface)"><circle cx="37.52" cy="25.62" r="1.35"/><circle cx="33.90" cy="31.90" r="1.35"/><circle cx="27.62" cy="35.52" r="1.35"/><circle cx="20.38" cy="35.52" r="1.35"/><circle cx="14.10" cy="31.90" r="1.35"/><circle cx="10.48" cy="25.62" r="1.35"/><circle cx="10.48" cy="18.38" r="1.35"/><circle cx="14.10" cy="12.10" r="1.35"/><circle cx="20.38" cy="8.48" r="1.35"/><circle cx="27.62" cy="8.48" r="1.35"/><circle cx="33.90" cy="12.10" r="1.35"/><circle cx="37.52" cy="18.38" r="1.35"/></g><circle cx="24" cy="48.5" r="4.5" fill="var(--buy)"/><g transform="translate(-4 0)"><g fill="none" stroke="currentColor" stroke-width="8"><path d="M56.5 15v25.5c0 5-2.7 8-8 8"/><circle cx="77" cy="27.5" r="9.5"/><path d="M88 14v27"/></g><circle cx="56.5" cy="6.8" r="4.6" fill="currentColor"/></g></svg>`;

interface CheckoutView {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  readonly status: 'abandoned' | 'failed' | 'pending' | 'success' | 'reversed';
  /** Base address of the forms; `/pay`, `/decline`, `/cancel` or `/resend` is appended. */
  readonly action: string;
  /** Address back at the market, with the reference. */
  readonly returnUrl: string;
  /** Whether its webhooks were just sent again. */
  readonly isSentAgain: boolean;
}

/** The test payment page: plain forms, no JavaScript and no data about the buyer. */
function checkoutPage(view: CheckoutView): string {
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

/** Page for an unknown access code. */
const notFoundPage = (): string =>
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

function closedPart({ status, action, returnUrl, isSentAgain }: CheckoutView): string {
  const text =
    status === 'pending'
      ? 'This payment is being worked on. There is nothing more to do here.'
      : status === 'reversed'
        ? 'This payment was made and has been given back.'
        : 'This payment has been made.';
  const again = isSentAgain
    ? `<p class="note done" role="status">${tickSign}The webhook was sent again. It changes nothing.</p>`
    : '';
  return `<p class="note done"${isSentAgain ? '' : ' role="status"'}>${tickSign}${text}</p>
${again}
<a class="btn pri" href="${escapeHtml(returnUrl)}">Back to the market</a>
${status === 'pending' ? '' : button(action, 'resend', 'line', 'Send the webhook again')}`;
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

/** Formats kobo as naira; shows decimals only for an amount that is not whole naira. */
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

const STYLE_HASH = createHash('sha256').update(checkoutStyle).digest('base64');

/**
 * The page has no script and one inline style, which is allowed by its hash. Browsers apply
 * `form-action` to the redirect after a submit too, so the market's origin is listed.
 */
function pageHeaders(callbackUrl: string | null): Record<string, string> {
  const back = callbackUrl === null ? '' : ` ${new URL(callbackUrl).origin}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      'img-src data:',
      `form-action 'self'${back}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
