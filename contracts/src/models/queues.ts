/**
 * The queues between projector and the services that work them. A job only makes sooner what the
 * obligations list anyway, except pushes, which nobody is owed; its data names ids.
 */
export const queues = {
  /** projector: `{ kind, subject }`, a letter to send. */
  letters: 'letters',
  /** command-service: `{ transactionId }`, ask how its payment ended. */
  paymentChecks: 'payment-checks',
  /** command-service: `{ transactionId, refundId }`. */
  refunds: 'refunds',
  /** command-service: `{ transactionId, sellerId }`. */
  payouts: 'payouts',
  /** command-service: `{ subject }`, a key to destroy. */
  keys: 'keys',
  /** projector: `{ eventId, position }`, an event that sellers' browsers are to be told of. */
  orderPushes: 'order-pushes',
  /** projector: `{ eventId, sellerId, subscriptionId }`, one browser to tell. */
  pushes: 'pushes',
  /** command-service: `{ eventId, sellerId, subscriptionId }`, a browser that is gone; the event told of it. */
  forgetPush: 'forget-push',
} as const;
export type Queue = (typeof queues)[keyof typeof queues];
