export {
  type GrantResult,
  grantHeadAdmin,
  revokeHeadAdmin,
} from './accounts/headAdmin.js';
export { nameId, releaseUnusedName } from './accounts/names.js';
export { createPasswords, type Hashing, type Passwords } from './accounts/passwords.js';
export { type ResetResult, resetPassword } from './accounts/resetPassword.js';
export {
  endTransfer,
  listPayable,
  type MarkPaid,
  markPaid,
  OPERATOR,
  type OrderHandled,
  type PayableShare,
  removeRecord,
  type Settlement,
  settleDispute,
} from './checkout/index.js';
export type { CommandCall, Deps, Handler, Handlers, Settings } from './deps.js';
export { type CommandService, createCommandService } from './service.js';
export { createSweeps, runSweep, type Sweeps } from './sweeps/index.js';
