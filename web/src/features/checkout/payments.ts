import { DAY_MS, orderKeyParts, orderNumber, transactionOfReference } from '@oja/domain/rules';
import { QueryObserver, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.js';
import type { Order } from '../../api/types.js';
import { removeBought } from '../../stores/cart-checkout.js';
import {
  currentOrders,
  removeOrder,
  type StoredOrder,
  saveOrder,
  setDeliveryStatus,
} from '../../stores/orders.js';
import { safeLocalStorage, safeSessionStorage } from '../../stores/safe-storage.js';
import { toast } from '../../ui/toast.js';
import { orderQuery } from './api.js';
import { deleteDraft } from './draft.js';
import { toStage } from './order.js';

const stageOrder: Readonly<Record<StoredOrder['stage'], number>> = {
  placed: 0,
  paid: 1,
  closed: 2,
};

/** This browser's order that the payment reference belongs to. */
function findByReference(reference: string): StoredOrder | undefined {
  const id = transactionOfReference(reference);
  return currentOrders().find(({ key }) => id !== null && key.startsWith(`${id}.`));
}

/** Key in sessionStorage: the references of the payments that this tab has acted on. */
const HANDLED_KEY = 'oja-paid';

/** Whether this tab has acted on the payment before; from now on it has. */
function checkAndMarkHandled(reference: string): boolean {
  const handled = safeSessionStorage.getItem(HANDLED_KEY)?.split(' ') ?? [];
  if (handled.includes(reference)) return true;
  // Without storage, only the stored order tells.
  safeSessionStorage.setItem(HANDLED_KEY, [...handled, reference].join(' '));
  return false;
}

/** Key in localStorage: the ids of the paid orders that were forgotten here, the last ones first. */
const FORGOTTEN_KEY = 'oja-forgotten';
/** More are not remembered. It only has to be the orders of three days: as long the market returns an order's key. */
const MAX_FORGOTTEN = 100;

const readForgotten = (): readonly string[] =>
  safeLocalStorage.getItem(FORGOTTEN_KEY)?.split(' ') ?? [];
const toOrderId = (key: string): string => orderKeyParts(key).transactionId;

/**
 * The key of the order that a payment belongs to.
 * @param returned the order key, if the server returned it to this browser
 * @returns undefined in a browser that did not place the order
 */
export const orderKeyOfPayment = (
  reference: string,
  returned: string | undefined,
): string | undefined => returned ?? findByReference(reference)?.key;

/**
 * Acts on a verified payment: stores the order as paid, takes its goods out of the cart and turns
 * on the bell. Only once: a reload must not take them out of the next cart, nor may it, or a new tab, reopen an
 * order that was confirmed or forgotten since.
 * Does nothing in a browser that did not place the order.
 * @param returned the order key, if the server returned it to this browser
 */
export function recordVerifiedPayment(reference: string, returned: string | undefined): void {
  const known = findByReference(reference);
  const key = orderKeyOfPayment(reference, returned);
  if (key === undefined || checkAndMarkHandled(reference)) return;
  // Each tab has a draft of its own: this one still holds what was typed, also when another tab saw the payment.
  deleteDraft();
  if (known === undefined ? readForgotten().includes(toOrderId(key)) : known.stage !== 'placed')
    return;
  saveOrder(key, 'paid');
  setDeliveryStatus('Pending');
  // If only the server knows the order, the cart is from a later time.
  if (known === undefined) return;
  // An order of an earlier release does not say what was ordered.
  removeBought(known.goods);
  markReplacedOrders(key, known.goods);
}

/**
 * Marks the unpaid orders that share goods with a paid one. All were made of the same cart: after Back from the payment
 * page and a change in the form, or in another tab. Whoever paid one of them as well would pay twice.
 * @param goods product ids of the paid order; an order of an earlier release does not say them
 */
function markReplacedOrders(key: string, goods: readonly string[] = []): void {
  const paidInstead = toOrderId(key);
  for (const other of currentOrders())
    if (other.stage === 'placed' && hasGoodsOf(other, goods))
      saveOrder(other.key, other.stage, { paidInstead });
}

const hasGoodsOf = (order: StoredOrder, goods: readonly string[]): boolean =>
  order.goods?.some((id) => goods.includes(id)) ?? false;

/** The order that is to be paid, or was paid, in place of another one with the same goods. */
export interface Replacement {
  /** Its number, as people read it. */
  readonly number: string;
  readonly isPaid: boolean;
}

/**
 * The order that replaces one of this browser's: the one that was paid, else the last that was submitted. For an order
 * that is paid itself it only means that the goods were bought twice.
 * @param orders all orders of this browser, newest first
 */
export function findReplacement(
  order: StoredOrder,
  orders: readonly StoredOrder[],
): Replacement | undefined {
  if (order.paidInstead !== undefined)
    return { number: orderNumber(order.paidInstead), isPaid: true };
  const later = orders
    .slice(0, orders.indexOf(order))
    .find(
      (one) =>
        one.stage === 'placed' &&
        one.paidInstead === undefined &&
        hasGoodsOf(one, order.goods ?? []),
    );
  return later && { number: orderNumber(later.key), isPaid: false };
}

/** Closes the order of a payment that goes back: its payment page is done with, so the same goods are another order. */
export function recordReturnedPayment(reference: string): void {
  const known = findByReference(reference);
  if (known?.stage === 'placed') saveOrder(known.key, 'closed');
}

/** Stores the reported stage. Stages only move forward, as an answer may be older than the buyer's Yes. */
function advanceStage(key: string, reported: Order): void {
  const stage = toStage(reported);
  const known = currentOrders().find((kept) => kept.key === key);
  if (known !== undefined && stageOrder[known.stage] >= stageOrder[stage]) return;
  saveOrder(key, stage);
  const goods = paidProductIds(reported);
  if (known?.stage === 'placed' && goods.length > 0) finishPurchase(key, goods);
  if (stage === 'closed') updateBell();
}

/** The ids of the products that were paid for, and not refunded since. */
function paidProductIds({ paid_at, lines, shares }: Order): readonly string[] {
  if (paid_at === null) return [];
  const isRefunded = (sellerId: string) =>
    shares.some(({ user_id, status }) => user_id === sellerId && status === 'refunded');
  return lines.flatMap(({ product_id, user_id }) => (isRefunded(user_id) ? [] : [product_id]));
}

/**
 * For an order that was paid without coming back to the verification page, as after a bank transfer or when the browser was
 * closed: left in the cart, its goods would be paid for twice. What was added since stays.
 */
function finishPurchase(key: string, goods: readonly string[]): void {
  removeBought(goods);
  deleteDraft();
  markReplacedOrders(key, goods);
  toast.success('What you bought is in My orders.', { title: `Order ${orderNumber(key)} is paid` });
}

/** The orders of this browser of which it knows no payment. */
const unpaidOrders = (): readonly StoredOrder[] =>
  currentOrders().filter(({ stage }) => stage === 'placed');

/** Stores what the market says of an order, unless it was forgotten here while the answer was on its way. */
function advanceIfStored(key: string, reported: Order): void {
  if (currentOrders().some((kept) => kept.key === key)) advanceStage(key, reported);
}

/**
 * How long pages ask about an order, in ms. Payments are taken for three days; whoever closed the browser after paying
 * may come back later.
 */
const WATCH_MS = 14 * DAY_MS;

/**
 * Asks how the unpaid orders of this browser stand, now and whenever somebody comes back to the page: they may be paid
 * although nobody came back from the payment page.
 * @returns a function that ends it
 */
export function watchUnpaidOrders(): () => void {
  const watched = unpaidOrders().filter(
    ({ placedAt }) => Date.now() - Date.parse(placedAt) < WATCH_MS,
  );
  const ends = watched.map(({ key }) =>
    new QueryObserver(queryClient, orderQuery(key)).subscribe(({ data }) => {
      if (data !== undefined) advanceIfStored(key, data);
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** How old an answer about an order may be before goods are paid for, in ms. */
const MAX_AGE_MS = 10_000;
/** How long a submission waits for such an answer, in ms. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Asks, before goods are paid for, whether an order of this browser with some of them was paid meanwhile.
 * @returns the numbers of such orders; none where the market does not answer in time
 */
export async function findPaidMeanwhile(goods: readonly string[]): Promise<readonly string[]> {
  const numberIfPaid = async ({ key }: StoredOrder) => {
    const order = await queryClient.fetchQuery({ ...orderQuery(key), staleTime: MAX_AGE_MS });
    advanceIfStored(key, order);
    return paidProductIds(order).length === 0 ? [] : [orderNumber(key)];
  };
  const candidates = unpaidOrders().filter((order) => hasGoodsOf(order, goods));
  if (candidates.length === 0) return [];
  const late = new Promise<readonly string[]>((resolve) =>
    setTimeout(() => resolve([]), ANSWER_TIMEOUT_MS),
  );
  const answers = await Promise.allSettled(
    candidates.map((order) => Promise.race([numberIfPaid(order), late])),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Removes the order from this browser. After that, only the receipt's link can confirm its delivery. */
export function forgetOrder(key: string): void {
  const isUnpaid = currentOrders().some((kept) => kept.key === key && kept.stage === 'placed');
  removeOrder(key);
  // A payment that comes after all is news.
  if (!isUnpaid) {
    const id = toOrderId(key);
    const others = readForgotten().filter((other) => other !== id);
    safeLocalStorage.setItem(FORGOTTEN_KEY, [id, ...others].slice(0, MAX_FORGOTTEN).join(' '));
  }
  updateBell();
}

/** Turns off the bell when this browser has no order left that is paid and not confirmed. */
function updateBell(): void {
  if (!currentOrders().some((kept) => kept.stage === 'paid')) setDeliveryStatus('AVAILABLE');
}

/** Fetches an order, and stores its stage in this browser. */
export function useOrder(orderKey: string) {
  const order = useQuery(orderQuery(orderKey));
  const { data } = order;
  useEffect(() => {
    if (data !== undefined) advanceStage(orderKey, data);
  }, [orderKey, data]);
  return order;
}
