import type { Context } from 'koa';
import { transactionBody } from './bodies.js';
import { checkoutPage, notFoundPage, pageHeaders } from './checkout-page.js';
import type { Inside } from './inside.js';
import { type TransactionRecord, transactionStatus } from './records.js';

const PATH = /^\/checkout\/([0-9a-f]{20})(?:\/(pay|decline|cancel))?$/;

/**
 * The page that a shopper sees in place of Paystack's, and its three buttons. Whoever knows the
 * access code may press them. Answers whether the path was the checkout's.
 */
export async function answerCheckout(inside: Inside, ctx: Context, path: string): Promise<boolean> {
  const [, accessCode, press] = PATH.exec(path) ?? [];
  if (accessCode === undefined) {
    // A link that was cut short is still opened by a person.
    if (ctx.method !== 'GET' || !path.startsWith('/checkout/')) return false;
    notFound(ctx);
    return true;
  }
  const record = await inside.store.transaction(await inside.store.referenceOf(accessCode));
  if (record === null) {
    notFound(ctx);
    return true;
  }
  ctx.set(pageHeaders(record.callbackUrl));
  if (press === undefined) {
    const { reference, amount } = record;
    const status = transactionStatus(record, inside.clock.now());
    ctx.type = 'html';
    ctx.body = checkoutPage({
      reference,
      amount,
      status,
      action: `${inside.address}/checkout/${accessCode}`,
      returnUrl: returnUrl(record),
    });
  } else if (ctx.method !== 'POST') {
    goTo(ctx, `${inside.address}/checkout/${accessCode}`);
  } else {
    ctx.req.resume();
    if (press === 'pay') await pay(inside, record.reference);
    if (press === 'decline') await decline(inside, record.reference);
    goTo(ctx, returnUrl(record));
  }
  return true;
}

function notFound(ctx: Context): void {
  ctx.set(pageHeaders(null));
  ctx.status = 404;
  ctx.type = 'html';
  ctx.body = notFoundPage();
}

/** A payment goes through once: pressing again, or from two tabs, changes and sends nothing. */
async function pay(inside: Inside, reference: string): Promise<void> {
  const now = inside.clock.now();
  const found = await inside.store.transaction(reference);
  if (found === null || !isOpen(found, now)) return;
  const late = await inside.faults.take('late-success', reference);
  const settlesAt = now + (late?.delayMs ?? 0);
  const paid = await inside.store.changeTransaction(reference, (record) =>
    isOpen(record, now) ? { ...record, outcome: 'success', settlesAt } : null,
  );
  if (paid === null) return;
  await inside.notify('charge.success', transactionBody(paid, settlesAt), reference, settlesAt);
}

/** A decline is not the end: the shopper may come back and pay. No webhook tells of it. */
async function decline(inside: Inside, reference: string): Promise<void> {
  const now = inside.clock.now();
  await inside.store.changeTransaction(reference, (record) =>
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
