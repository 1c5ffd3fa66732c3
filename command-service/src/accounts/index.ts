import type { Deps, Handlers } from '../deps.js';
import { checkBusinessName } from './checkBusinessName.js';
import { login, loginWithNewPassword } from './login.js';
import { logout } from './logout.js';
import { changePassword } from './password.js';
import { refreshToken } from './refreshToken.js';
import { register } from './register.js';
import { setPayoutAccount } from './setPayoutAccount.js';
import { updateProfile } from './updateProfile.js';

export const accountHandlers = (deps: Deps) =>
  ({
    register: register(deps),
    login: login(deps),
    loginWithNewPassword: loginWithNewPassword(deps),
    changePassword: changePassword(deps),
    refreshToken: refreshToken(deps),
    logout: logout(deps),
    checkBusinessName: checkBusinessName(deps),
    updateProfile: updateProfile(deps),
    setPayoutAccount: setPayoutAccount(deps),
  }) satisfies Partial<Handlers>;
