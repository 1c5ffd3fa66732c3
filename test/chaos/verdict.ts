import { LEDGER_ID, type LedgerDocument, type NotificationDocument } from '@oja/contracts/models';
import { isBalanced } from '@oja/projector';
import type { LoggedOrder } from './log-books.js';
import type { Captured, ProviderBooks } from './sandbox-books.js';

/** Each entry names what is wrong and how: an order, a payment or a seller. */
export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unbalanced: readonly string[];
}

/** Everything that must agree. */
export interface Books {
  readonly provider: ProviderBooks;
  /** The log's orders, by id. */
  readonly orders: ReadonlyMap<string, LoggedOrder>;
  /** The orders whose ids buyers received, and how many buyers got no answer. */
  readonly known: ReadonlySet<string>;
  readonly untold: number;
  /** All notices; no seller has cleared any. */
  readonly notices: readonly Pick<NotificationDocument, 'sellerId' | 'transactionId' | 'type'>[];
  /** The unread count of each seller's bell. */
  readonly unread: ReadonlyMap<string, number>;
  /** The ledger's documents: the market's, and each order's. */
  readonly accounts: ReadonlyMap<string, LedgerDocument>;
}

interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly unbalanced: string[];
}

/** Compares what the provider did with the log and the read models. */
export function judge(books: Books): Verdict {
  const findings: Findings = { lost: [], doubled: [], unbalanced: [] };
  judgeOrders(books, findings);
  judgePayments(books, findings);
  judgePayouts(books, findings);
  judgeNotices(books, findings);
  judgeLedger(books, findings);
  return findings;
}

function judgeOrders({ orders, known, untold }: Books, { lost, doubled }: Findings): void {
  const strangers = [...orders.keys()].filter((id) => !known.has(id));
  if (strangers.length > untold) doubled.push(...strangers.map((id) => `${id} placed`));
  for (const id of known) if (!orders.has(id)) lost.push(`${id} placed`);
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function judgePayments({ provider, orders }: Books, { lost, doubled, unbalanced }: Findings): void {
  const { captured } = provider;
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

/** References are `<order>_<share>_<try>`: for one share only one transfer may arrive. */
function judgePayouts({ provider }: Books, { doubled }: Findings): void {
  const shares = provider.paidOut.map(({ reference }) => reference.replace(/_\d+$/, ''));
  for (const share of new Set(shares))
    if (shares.filter((one) => one === share).length > 1) doubled.push(`${share} paid out`);
}

/** One notice for each seller of each verified order. */
function judgeNotices({ orders, notices, unread }: Books, { lost, doubled }: Findings): void {
  const told = new Map<string, number>();
  const counted = new Map<string, number>();
  for (const { sellerId, transactionId, type } of notices) {
    counted.set(sellerId, (counted.get(sellerId) ?? 0) + 1);
    if (type !== 'PaymentVerified') continue;
    const key = `${transactionId} noticed by ${sellerId}`;
    told.set(key, (told.get(key) ?? 0) + 1);
  }
  for (const { transactionId, sellerIds, verified } of orders.values())
    for (const sellerId of sellerIds) {
      const key = `${transactionId} noticed by ${sellerId}`;
      const times = told.get(key) ?? 0;
      if (verified.length > 0 && times === 0) lost.push(key);
      if (times > (verified.length > 0 ? 1 : 0)) doubled.push(key);
    }
  for (const [sellerId, count] of unread)
    if (count !== (counted.get(sellerId) ?? 0)) doubled.push(`${sellerId} counts notices`);
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

function judgeLedger({ provider, accounts }: Books, { unbalanced }: Findings): void {
  const { captured, paidOut } = provider;
  for (const [id, own] of accounts)
    if (!own.balanced || !isBalanced(own)) unbalanced.push(`${id} in the ledger`);
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
