export {
  type GrantResult,
  grantHeadAdmin,
  revokeHeadAdmin,
} from './accounts/headAdmin.js';
export { nameId, releaseUnusedName } from './accounts/names.js';
export { createPasswords, type Passwords } from './accounts/passwords.js';
export { type ResetResult, resetPassword } from './accounts/resetPassword.js';
export type { CommandCall, Deps, Handler, Handlers, Settings } from './deps.js';
export { type CommandService, createCommandService } from './service.js';
