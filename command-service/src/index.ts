export { nameId, releaseUnusedName } from './accounts/names.js';
export { resetPassword } from './accounts/password.js';
export { createPasswords, type Hashing, type Passwords } from './accounts/passwords.js';
export {
  endTransfer,
  listPayable,
  markPaid,
  noticesAbout,
  type OrderHandled,
  type PayableShare,
  type PayoutAccount,
  removeRecord,
  type Settlement,
  settleDispute,
  WEBHOOK_QUEUE,
  waitingNotices,
} from './checkout/index.js';
export type { CommandCall, Deps, Handler, Handlers, Settings } from './deps.js';
export { grantHeadAdmin, revokeHeadAdmin } from './rights.js';
export { type CommandService, createCommandService } from './service.js';
export { createSweeps, runSweep } from './sweeps/index.js';
