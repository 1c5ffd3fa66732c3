import type { Deps, Handler } from '../deps.js';
import { confirmDelivery, reportNotReceived } from './deliver/confirm.js';
import { reportProblem } from './deliver/problem.js';
import { removeBuyerRecord } from './deliver/remove-record.js';
import { resolveDispute } from './deliver/resolve.js';
import { verifyTransaction } from './pay/verify.js';
import { initializeTransaction } from './place/initialize.js';
import { paystackWebhook } from './webhook/webhook.js';

export type { OrderHandled } from './commands.js';
export { removeRecord } from './deliver/remove-record.js';
export { type Settlement, settleDispute } from './deliver/resolve.js';
export { type Verification, type VerificationSource, verifyPayment } from './pay/verify-payment.js';
export {
  endTransfer,
  listPayable,
  type MarkPaid,
  markPaid,
  OPERATOR,
  type PayableShare,
} from './payback/operator.js';

type CheckoutCall =
  | 'initializeTransaction'
  | 'verifyTransaction'
  | 'confirmDelivery'
  | 'reportNotReceived'
  | 'reportProblem'
  | 'paystackWebhook'
  | 'resolveDispute'
  | 'removeBuyerRecord';

/** Who answers the calls about orders and their money. */
export function checkoutHandlers(deps: Deps): { readonly [N in CheckoutCall]: Handler<N> } {
  return {
    initializeTransaction: initializeTransaction(deps),
    verifyTransaction: verifyTransaction(deps),
    confirmDelivery: confirmDelivery(deps),
    reportNotReceived: reportNotReceived(deps),
    reportProblem: reportProblem(deps),
    paystackWebhook: paystackWebhook(deps),
    resolveDispute: resolveDispute(deps),
    removeBuyerRecord: removeBuyerRecord(deps),
  };
}
