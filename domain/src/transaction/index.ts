import { type Decider, decidingStrictly, parserOf } from '../decider.js';
import type { TransactionCommand } from './commands.js';
import { decideTransaction } from './decide.js';
import { type TransactionEvent, transactionEvents } from './events.js';
import { evolveTransaction } from './evolve.js';
import { noTransaction, type TransactionState } from './state.js';

export type * from './commands.js';
export { isAmountChanged, noSuchOrder, orderRefusal, sharesOf, subtotalOf } from './decide.js';
export { isLongUnconfirmed, refundIdOf, refundOf } from './deliver.js';
export {
  heldAsideReason,
  type OrderLine,
  type TransactionEvent,
  transactionEvents,
} from './events.js';
export { shareIndexOf } from './payouts.js';
export {
  type Attempt,
  type Dispute,
  type HeldAside,
  isOrderOpen,
  mayBeRestored,
  type Payment,
  type PayoutDestination,
  type PlacedOrder,
  type RefundState,
  receivedStatus,
  type SealedBuyer,
  type ShareState,
  type TransactionState,
} from './state.js';
export { paysFor, returnedGoods } from './verify.js';

/** An order, with its payments, delivery, payouts and refunds. */
export const transaction = {
  category: 'transaction',
  schemaVersion: 1,
  initial: noTransaction,
  evolve: evolveTransaction,
  decide: decidingStrictly(transactionEvents, decideTransaction),
  parse: parserOf(transactionEvents),
} satisfies Decider<TransactionState, TransactionCommand, TransactionEvent>;
