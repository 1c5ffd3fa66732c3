import { randomInt } from 'node:crypto';
import { createSecurityLog, OPERATOR } from '@oja/platform';
import type { Deps } from '../deps.js';
import { sellerIdByName } from './names.js';

/** Read out and typed in: no letters or digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Groups of letters with a hyphen between: 79 random bits. */
const GROUPS = 4;
const GROUP_LENGTH = 4;

export type ResetResult =
  | { readonly ok: true; readonly password: string; readonly sessionsEnded: number }
  | { readonly ok: false; readonly message: string };

const letter = (): string => LETTERS.charAt(randomInt(LETTERS.length));
const group = (): string => Array.from({ length: GROUP_LENGTH }, letter).join('');
const oneTimePassword = (): string => Array.from({ length: GROUPS }, group).join('-');

/**
 * For an operator: gives a seller a new password, told once, and ends all their sessions. It opens
 * nothing but the choice of another.
 */
export async function resetPassword(
  deps: Pick<Deps, 'load' | 'passwords' | 'sessions' | 'clock' | 'logger'>,
  businessName: string,
): Promise<ResetResult> {
  const sellerId = await sellerIdByName(deps, businessName);
  if (sellerId === null) return { ok: false, message: `There is no seller called ${businessName}` };
  const password = oneTimePassword();
  const now = deps.clock.now();
  await deps.passwords.set(sellerId, password, now, { oneTime: true });
  const sessionsEnded = await deps.sessions.endAll(sellerId, now);
  createSecurityLog(deps.logger)({
    ...{ event: 'password-reset', outcome: 'granted' },
    ...{ actor: OPERATOR, from: null, subject: sellerId },
  });
  return { ok: true, password, sessionsEnded };
}
