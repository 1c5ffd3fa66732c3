import { randomInt } from 'node:crypto';
import { OPERATOR } from '@oja/domain';
import { type PasswordOwner, passwordProblem } from '@oja/domain/rules/typed';
import { refuse } from '@oja/http';
import { createAttempts, createSecurityLog } from '@oja/platform';
import { notYours, wrongField } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { endSessions } from '../security-log.js';
import { sellerIdByName } from './names.js';
import { nameOf, readSeller, type SellerFacts } from './seller-facts.js';

/** How often somebody who is signed in may be wrong about their password. */
const wrongPasswords = {
  free: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 5 * 60_000,
  forgetMs: 60 * 60_000,
};

/** The passwords that guessers try first, in lower case; read when the first one is chosen. */
let commonPasswords: Promise<ReadonlySet<string>> | undefined;
function readCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** Why this may not become a seller's password, as the field that said it; null: it may. */
export async function refusedPassword(field: string, password: string, owner: PasswordOwner) {
  const common = await readCommonPasswords();
  const problem = passwordProblem(password, owner, (text) => common.has(text));
  return problem === null
    ? null
    : refuse(400, `${field}: ${problem}`, { errors: { [field]: problem } });
}

/** Puts a new password in the place of the old one, which has been found right; null: it is done. */
export async function replacePassword(
  deps: Pick<Deps, 'passwords' | 'clock' | 'sealer'>,
  facts: SellerFacts,
  old: string,
  wanted: string,
) {
  const { sellerId, businessName } = facts.state;
  if (old === wanted) return wrongField('new_password', 'must be another one than the old');
  const owner = { businessName, name: (await nameOf(deps, facts)) ?? '' };
  const refused = await refusedPassword('new_password', wanted, owner);
  if (refused === null) await deps.passwords.set(sellerId, wanted, deps.clock.now());
  return refused;
}

/**
 * Asks somebody who is signed in for their password again. Answers why they may not go on; null: they
 * are who they say. Wrong ones slow down whoever found the browser open, and only there.
 */
export function createPasswordCheck(deps: Pick<Deps, 'passwords' | 'clock' | 'state'>) {
  const attempts = createAttempts(deps.state, wrongPasswords);
  return async (sellerId: string, field: string, password: string) => {
    const now = deps.clock.now();
    const key = `password/${sellerId}`;
    const waitSeconds = Math.ceil((await attempts.begin(key, now)) / 1000);
    if (waitSeconds > 0)
      return refuse(429, `That was tried too often. Please wait ${waitSeconds} seconds`, {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    if (!(await deps.passwords.matches(sellerId, password, now)))
      return refuse(400, 'This is not your password', {
        code: 'wrong_password',
        errors: { [field]: 'is not your password' },
      });
    await attempts.succeeded(key);
    return null;
  };
}

/** One's own. All other sessions end: whoever knew the old password is out. */
export function changePassword(deps: Deps): Handler<'changePassword'> {
  const check = createPasswordCheck(deps);
  return async ({ actor, body, clientAddress }) => {
    const { sellerId, session } = actor;
    const wrong = await check(sellerId, 'old_password', body.old_password);
    if (wrong !== null) return wrong;
    const facts = await readSeller(deps, sellerId);
    if (facts === null) return notYours();
    const refused = await replacePassword(deps, facts, body.old_password, body.new_password);
    if (refused !== null) return refused;
    await endSessions(deps, sellerId, {
      actor: sellerId,
      from: clientAddress,
      reason: 'password-changed',
      kept: session,
    });
    return { status: 200, body: { success: true, message: 'Password changed' } };
  };
}

/** Read out and typed in: no letters or digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Groups of letters with a hyphen between: 79 random bits. */
const GROUPS = 4;
const GROUP_LENGTH = 4;

type ResetResult =
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
  deps: Pick<
    Deps,
    'load' | 'eventStore' | 'passwords' | 'sessions' | 'clock' | 'logger' | 'operator'
  >,
  businessName: string,
): Promise<ResetResult> {
  const sellerId = await sellerIdByName(deps, businessName);
  if (sellerId === null) return { ok: false, message: `There is no seller called ${businessName}` };
  const password = oneTimePassword();
  const now = deps.clock.now();
  await deps.passwords.set(sellerId, password, now, { oneTime: true });
  createSecurityLog(deps.logger)({
    ...{ event: 'password-reset', outcome: 'granted' },
    ...{ actor: deps.operator ?? OPERATOR, from: null, subject: sellerId },
  });
  const sessionsEnded = await endSessions(deps, sellerId, {
    actor: deps.operator ?? OPERATOR,
    from: null,
    reason: 'password-reset',
  });
  return { ok: true, password, sessionsEnded };
}
