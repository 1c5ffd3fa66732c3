import type { Order } from '../../api/types.js';

/** What can be done about an order now. */
export type OrderState =
  | 'unpaid'
  /** Something is held: the question is open. */
  | 'asked'
  | 'delivered'
  /** Nothing is held any more, and a complaint is being looked into. */
  | 'disputed'
  | 'refunded';

export function stateOf(order: Order): OrderState {
  if (order.paid_at === null) return 'unpaid';
  if (order.recieved === 'REFUNDED') return 'refunded';
  if (order.recieved === 'DELIVERED') return 'delivered';
  if (order.shares.some(({ status }) => status === 'held')) return 'asked';
  return order.recieved === 'DISPUTED' ? 'disputed' : 'asked';
}

/** The stage under which this browser should keep it. */
export function stageOf(order: Order): 'placed' | 'paid' | 'closed' {
  const state = stateOf(order);
  if (state === 'unpaid') return 'placed';
  return state === 'delivered' || state === 'refunded' ? 'closed' : 'paid';
}

const lagos = new Intl.DateTimeFormat('en-NG', {
  timeZone: 'Africa/Lagos',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const lagosTime = new Intl.DateTimeFormat('en-NG', {
  timeZone: 'Africa/Lagos',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** 21 November 2026, as the date is in Lagos. */
export const dateOf = (iso: string): string => lagos.format(new Date(iso));
/** With weekday and time, labelled with the place. */
export const timeOf = (iso: string): string => `${lagosTime.format(new Date(iso))}, Lagos time`;
/** Names in a sentence. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names);
