export { nameId, releaseExpiredClaim } from './accounts/names.js';
export { resetPassword } from './accounts/password.js';
export { createPasswords, type Hashing } from './accounts/passwords.js';
export type { PayoutAccount } from './accounts/seller-facts.js';
export {
  endTransfer,
  findWebhooks,
  isDisputedNow,
  listPayable,
  loadPayable,
  loadPayout,
  loadRefunds,
  markPaid,
  type PayableShare,
  paymentReturnUrl,
  removeRecord,
  settleDispute,
  type WebhookSummary,
  waitingWebhooks,
} from './checkout/index.js';
export type { Deps, Handlers } from './deps.js';
export { grantHeadAdmin, revokeHeadAdmin, revokeRights } from './rights.js';
export { type CommandService, createCommandService } from './service.js';
export { runSweep } from './sweeps/index.js';
