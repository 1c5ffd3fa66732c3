import type { Deps, Handler } from '../deps.js';
import {
  confirmDelivery,
  removeBuyerRecord,
  reportNotReceived,
  reportProblem,
  resolveDispute,
  sendReceipt,
} from './delivery.js';
import { initializeTransaction } from './initialize.js';
import { verifyTransaction } from './verify-payment.js';
import { paystackWebhook } from './webhook.js';

export { removeRecord, settleDispute } from './delivery.js';
export { paymentReturnUrl } from './payment-page.js';
export { isDisputedNow } from './settlement/disputed-payments.js';
export {
  endTransfer,
  listPayable,
  loadPayable,
  markPaid,
  type PayableShare,
} from './settlement/operator.js';
export { loadPayout, loadRefunds } from './settlement/progress.js';
export { findWebhooks, type WebhookSummary, waitingWebhooks } from './stored-webhooks.js';
export { verifyPayment } from './verify-payment.js';

type CheckoutCall =
  | 'initializeTransaction'
  | 'verifyTransaction'
  | 'confirmDelivery'
  | 'sendReceipt'
  | 'reportNotReceived'
  | 'reportProblem'
  | 'paystackWebhook'
  | 'resolveDispute'
  | 'removeBuyerRecord';

/** The handlers of the calls about orders and their money. */
export function checkoutHandlers(deps: Deps): { readonly [N in CheckoutCall]: Handler<N> } {
  return {
    initializeTransaction: initializeTransaction(deps),
    verifyTransaction: verifyTransaction(deps),
    confirmDelivery: confirmDelivery(deps),
    sendReceipt: sendReceipt(deps),
    reportNotReceived: reportNotReceived(deps),
    reportProblem: reportProblem(deps),
    paystackWebhook: paystackWebhook(deps),
    resolveDispute: resolveDispute(deps),
    removeBuyerRecord: removeBuyerRecord(deps),
  };
}
