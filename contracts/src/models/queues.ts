/**
 * The queues between projector and the services that work them. A job only makes sooner what the
 * obligations list anyway; its data names ids.
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
} as const;
export type Queue = (typeof queues)[keyof typeof queues];
