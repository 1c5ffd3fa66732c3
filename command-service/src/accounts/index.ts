import type { Deps, Handlers } from '../deps.js';
import { claimedSubject, withSecurityLog } from '../security-log.js';
import {
  askLetterAddress,
  confirmLetterAddress,
  removeLetterAddress,
  switchLetters,
} from './letters.js';
import { login, loginWithNewPassword, logout, refreshToken } from './login.js';
import { checkBusinessName } from './names.js';
import { changePassword } from './password.js';
import { setPayoutAccount, updateProfile } from './profile.js';
import { register } from './register.js';

const signInEntry = {
  granted: ({
    body,
  }: {
    readonly body: { readonly userDetails: { readonly user_id: string } };
  }) => ({
    actor: body.userDetails.user_id,
  }),
};

export const accountHandlers = (deps: Deps) => {
  const signIn = { ...signInEntry, refused: claimedSubject(deps) };
  return {
    register: withSecurityLog(deps, 'sign-up', register(deps), {
      granted: ({ body }) => ({ actor: body.data.data.user_id }),
    }),
    login: withSecurityLog(deps, 'sign-in', login(deps), signIn),
    loginWithNewPassword: withSecurityLog(deps, 'sign-in', loginWithNewPassword(deps), signIn),
    changePassword: withSecurityLog(deps, 'password-changed', changePassword(deps)),
    refreshToken: refreshToken(deps),
    logout: logout(deps),
    checkBusinessName: checkBusinessName(deps),
    updateProfile: updateProfile(deps),
    setPayoutAccount: withSecurityLog(deps, 'bank-details-changed', setPayoutAccount(deps), {
      granted: ({ changed }, { actor }) => (changed === true ? { actor: actor.sellerId } : null),
    }),
    askLetterAddress: withSecurityLog(deps, 'letter-address-asked', askLetterAddress(deps)),
    confirmLetterAddress: withSecurityLog(
      deps,
      'letter-address-changed',
      confirmLetterAddress(deps),
    ),
    removeLetterAddress: withSecurityLog(
      deps,
      'letter-address-changed',
      removeLetterAddress(deps),
      {
        granted: (_, { actor }) => ({ actor: actor.sellerId, reason: 'removed' }),
      },
    ),
    switchLetters: switchLetters(deps),
  } satisfies Partial<Handlers>;
};
