import { aggregate } from '../decider.js';
import { decideTransaction } from './decide.js';
import { transactionEvents } from './events.js';
import { evolveTransaction } from './evolve.js';
import { noTransaction } from './state.js';

export type * from './commands.js';
export { isAmountChanged, noSuchOrder, orderRefusal, sharesOf, subtotalOf } from './decide.js';
export { isLongUnconfirmed, refundIdOf, refundOf } from './deliver.js';
export {
  heldAsideReason,
  type OrderLine,
  type TransactionEvent,
  transactionEvents,
} from './events.js';
export { shareIndexOf, wasNeverSent, wasStopped } from './payouts.js';
export {
  type Attempt,
  type Dispute,
  type HeldAside,
  isOrderOpen,
  isOwedRefund,
  mayBeRestored,
  type Payment,
  type PayoutDestination,
  type PlacedOrder,
  type ReceivedStatus,
  type RefundState,
  type ReturnedInPart,
  receivedStatus,
  receivedStatuses,
  type SealedBuyer,
  type ShareState,
  type TransactionState,
} from './state.js';
export { isPartOfPayment, isReturned, paysFor, returnedGoods } from './verify.js';

/** An order, with its payments, delivery, payouts and refunds. */
export const transaction = aggregate('transaction', transactionEvents, {
  initial: noTransaction,
  evolve: evolveTransaction,
  decide: decideTransaction,
});
