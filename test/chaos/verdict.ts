import {
  type InboxDocument,
  LEDGER_ID,
  type LedgerDocument,
  ledger,
  type NotificationDocument,
  notifications,
} from '@oja/contracts/models';
import { everyOne, isBalanced } from '@oja/projector';
import type { Engines } from './engines.js';
import { type LoggedOrder, logBooks } from './log-books.js';
import { type Captured, type ProviderBooks, providerBooks } from './sandbox-books.js';

/** Each list names what is wrong: an order, a payment, a seller, and how. */
export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unbalanced: readonly string[];
}

interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly unbalanced: string[];
}

/**
 * Holds what the provider did against what the log says and what the read models show. `known`: the
 * orders that buyers were told of; `untold`: how many never got an answer.
 */
export async function judge(
  engines: Engines,
  now: number,
  known: ReadonlySet<string>,
  untold: number,
): Promise<Verdict> {
  const findings: Findings = { lost: [], doubled: [], unbalanced: [] };
  const provider = await providerBooks(engines, now);
  const orders = await logBooks(engines);
  judgePayments(provider, orders, findings);
  judgePayouts(provider, findings);
  const strangers = [...orders.keys()].filter((id) => !known.has(id));
  if (strangers.length > untold) findings.doubled.push(...strangers.map((id) => `${id} placed`));
  for (const id of known) if (!orders.has(id)) findings.lost.push(`${id} placed`);
  await judgeNotices(engines, orders, findings);
  await judgeLedger(engines, provider, findings);
  return findings;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function judgePayments(
  { captured }: ProviderBooks,
  orders: ReadonlyMap<string, LoggedOrder>,
  { lost, doubled, unbalanced }: Findings,
): void {
  const kept = new Map<string, Captured[]>();
  for (const payment of captured) {
    const { reference, transactionId, providerId, amount, givenBack } = payment;
    const order = orders.get(transactionId ?? '');
    const told = [...(order?.verified ?? []), ...(order?.aside ?? [])];
    const times = told.filter((id) => id === providerId).length;
    if (times === 0) lost.push(`${reference} paid`);
    if (times > 1) doubled.push(`${reference} verified`);
    if (givenBack > amount) doubled.push(`${reference} refunded`);
    if (transactionId === null || amount === givenBack) continue;
    kept.set(transactionId, [...(kept.get(transactionId) ?? []), payment]);
  }
  for (const [id, payments] of kept) if (payments.length > 1) doubled.push(`${id} captured`);
  const ids = new Set(captured.map(({ providerId }) => providerId));
  for (const { transactionId, verified, aside } of orders.values()) {
    if (verified.length > 1) doubled.push(`${transactionId} verified`);
    for (const id of [...verified, ...aside])
      if (!ids.has(id)) unbalanced.push(`${transactionId} verified without a payment`);
  }
}

/** `<order>_<share>_<try>`: of one share one transfer may arrive. */
function judgePayouts({ paidOut }: ProviderBooks, { doubled }: Findings): void {
  const shares = paidOut.map(({ reference }) => reference.replace(/_\d+$/, ''));
  for (const share of new Set(shares))
    if (shares.filter((one) => one === share).length > 1) doubled.push(`${share} paid out`);
}

/** Nobody has cleared anything: a notice for each seller of each order that was verified. */
async function judgeNotices(
  { documents, readModels }: Engines,
  orders: ReadonlyMap<string, LoggedOrder>,
  { lost, doubled }: Findings,
): Promise<void> {
  const items = await readModels.liveCollection(notifications, 'items');
  const told = new Map<string, number>();
  const unread = new Map<string, number>();
  for await (const { document } of everyOne<NotificationDocument>(documents, items, {})) {
    const { sellerId, transactionId } = document;
    const key = `${transactionId} noticed by ${sellerId}`;
    told.set(key, (told.get(key) ?? 0) + 1);
    unread.set(sellerId, (unread.get(sellerId) ?? 0) + 1);
  }
  for (const { transactionId, sellerIds, verified } of orders.values())
    for (const sellerId of sellerIds) {
      const key = `${transactionId} noticed by ${sellerId}`;
      const times = told.get(key) ?? 0;
      if (verified.length > 0 && times === 0) lost.push(key);
      if (times > (verified.length > 0 ? 1 : 0)) doubled.push(key);
    }
  const inboxes = await readModels.liveCollection(notifications, 'inboxes');
  for await (const { document } of everyOne<InboxDocument>(documents, inboxes, {}))
    if (document.unread !== (unread.get(document.sellerId) ?? 0))
      doubled.push(`${document.sellerId} counts notices`);
}

const ACCOUNTS = [
  'cash',
  'held',
  'payable',
  'paidOut',
  'house',
  'refundsDue',
  'heldAside',
  'providerFees',
  'losses',
] as const satisfies readonly (keyof LedgerDocument)[];

async function judgeLedger(
  { documents, readModels }: Engines,
  { captured, paidOut }: ProviderBooks,
  { unbalanced }: Findings,
): Promise<void> {
  const collection = await readModels.liveCollection(ledger, 'accounts');
  const accounts = new Map<string, LedgerDocument>();
  for await (const { id, document } of everyOne<LedgerDocument>(documents, collection, {})) {
    accounts.set(id, document);
    if (!document.balanced || !isBalanced(document)) unbalanced.push(`${id} in the ledger`);
  }
  const orders = [...accounts].filter(([id]) => id !== LEDGER_ID);
  const market = accounts.get(LEDGER_ID);
  for (const account of ACCOUNTS)
    if (sumOf(orders.map(([, own]) => own[account])) !== (market?.[account] ?? 0))
      unbalanced.push(`${account} of all orders`);

  const netOf = (payments: readonly Captured[]) =>
    sumOf(payments.map(({ amount, givenBack }) => amount - givenBack));
  const transferred = (of: (reference: string) => boolean) =>
    sumOf(paidOut.filter(({ reference }) => of(reference)).map(({ amount }) => amount));
  for (const [id, own] of accounts) {
    const isWhole = id === LEDGER_ID;
    const payments = captured.filter((one) => isWhole || one.transactionId === id);
    if (netOf(payments) !== own.cash + own.providerFees) unbalanced.push(`${id} against captures`);
    if (transferred((reference) => isWhole || reference.startsWith(`${id}_`)) !== own.paidOut)
      unbalanced.push(`${id} against transfers`);
  }
}
