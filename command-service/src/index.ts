export { nameId, releaseUnusedName } from './accounts/names.js';
export { type ResetResult, resetPassword } from './accounts/password.js';
export { createPasswords, type Hashing, type Passwords } from './accounts/passwords.js';
export {
  endTransfer,
  listPayable,
  type MarkPaid,
  markPaid,
  type NoticeStory,
  noticesAbout,
  type OrderHandled,
  type PayableShare,
  type PayoutAccount,
  removeRecord,
  type Settlement,
  settleDispute,
  waitingNotices,
} from './checkout/index.js';
export type { CommandCall, Deps, Handler, Handlers, Settings } from './deps.js';
export {
  type GrantResult,
  grantHeadAdmin,
  revokeHeadAdmin,
} from './rights.js';
export { type CommandService, createCommandService } from './service.js';
export { createSweeps, runSweep, type Sweeps } from './sweeps/index.js';
