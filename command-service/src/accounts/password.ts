import { randomInt } from 'node:crypto';
import { inbox, OPERATOR, seller, sellerActor } from '@oja/domain';
import { type PasswordOwner, passwordProblem } from '@oja/domain/rules/user-input';
import { notYours, Overloaded, refuse } from '@oja/http';
import { type CommandContext, createAttempts, createSecurityLog } from '@oja/platform';
import { v7 } from 'uuid';
import { conflictAnswer, contextFor, invalidField } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { endSessions } from '../security-log.js';
import type { RegisteredSeller } from './names.js';
import { type Client, clientOf, guessRule, tooManyGuesses } from './passwords.js';
import { nameOf, readSellerStream } from './seller-facts.js';

/** The passwords that attackers try first, in lower case. Loaded on first use. */
let commonPasswords: Promise<ReadonlySet<string>> | undefined;
function readCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** The answer that refuses a password, naming the form field; null when the password is fine. */
export async function refusedPassword(field: string, password: string, owner: PasswordOwner) {
  const common = await readCommonPasswords();
  const problem = passwordProblem(password, owner, (text) => common.has(text));
  return problem === null
    ? null
    : refuse(400, `${field}: ${problem}`, { errors: { [field]: problem } });
}

interface PasswordReplacement {
  readonly old: string;
  /** The version of the stored password, read before `old` was judged. */
  readonly before: number | null;
  readonly wanted: string;
  readonly client: Client;
  /** The metadata of the event. */
  readonly context: CommandContext;
  readonly ending: Ending;
}

/** Why sessions end, and which one does not. */
type Ending = Parameters<typeof endSessions>[2];

/**
 * Ends what was begun with a password that has been replaced: sessions, and the push messages of all devices, because
 * nobody knows which of them the owner still has. The browser whose session goes on subscribes again by itself. The new
 * password holds already, so push messages that could not be ended are only logged. Returns how many sessions were ended.
 */
async function endAccess(
  deps: Pick<Deps, 'handle' | 'logger' | 'sessions' | 'clock'>,
  sellerId: string,
  ending: Ending,
  context: CommandContext,
): Promise<number> {
  const sessionsEnded = await endSessions(deps, sellerId, ending);
  const unended = (reason: object) =>
    deps.logger.error({ ...reason, sellerId }, 'the push messages of a seller could not be ended');
  try {
    // Has an id of its own each time: a repeated request has to end what was begun since the first.
    const anew = { ...context, commandId: v7() };
    const command = { type: 'UnsubscribeAllPushes', sellerId } as const;
    const handled = await deps.handle(inbox, sellerId, command, anew);
    if (!handled.ok) unended({ why: handled.conflict ? 'conflict' : handled.refusal.code });
  } catch (error) {
    unended({ err: error });
  }
  return sessionsEnded;
}

/**
 * Replaces a password, records that, so that its owner is notified, and ends sessions and push messages. The caller must have verified
 * `old`. Returns the version of the new one, or the answer that refuses it: also when somebody else has replaced the
 * old one meanwhile, because whoever knew only that one may no longer choose.
 */
export async function replacePassword(
  deps: Pick<Deps, 'passwords' | 'clock' | 'sealer' | 'handle' | 'logger' | 'sessions'>,
  { facts, known }: RegisteredSeller,
  { old, before, wanted, client, context, ending }: PasswordReplacement,
) {
  const { sellerId, businessName } = facts.state;
  if (old === wanted) return invalidField('new_password', 'must be another one than the old');
  const owner = { businessName, name: (await nameOf(deps, facts)) ?? '' };
  const refused = await refusedPassword('new_password', wanted, owner);
  if (refused !== null) return refused;
  const hashed = await deps.passwords.hash(wanted, client);
  // Before, too: whoever is killed in between has locked out a thief, and need not know that the new password holds.
  await endSessions(deps, sellerId, ending);
  const { commandId } = context;
  const replacing = { version: before, commandId };
  const version = await deps.passwords.keep(sellerId, hashed, deps.clock.now(), replacing);
  if (version === null) return conflictAnswer();
  await recordPasswordChange(deps, { facts, known }, 'changed', context);
  await endAccess(deps, sellerId, ending, context);
  return { version };
}

/**
 * Whether an earlier try of this request has replaced the password, but was not answered. Its old password is wrong now.
 * If so, records that unless it was, and ends sessions and push messages once more.
 */
export async function finishReplaced(
  deps: Pick<Deps, 'passwords' | 'clock' | 'handle' | 'logger' | 'sessions'>,
  own: RegisteredSeller,
  {
    wanted,
    client,
    context,
    ending,
  }: Pick<PasswordReplacement, 'wanted' | 'client' | 'context' | 'ending'>,
): Promise<boolean> {
  const { passwords, clock } = deps;
  const { sellerId } = own.facts.state;
  if ((await passwords.chosenBy(sellerId, clock.now())) !== context.commandId) return false;
  if (!(await passwords.matches(sellerId, wanted, clock.now(), client))) return false;
  await recordPasswordChange(deps, own, 'changed', context);
  await endAccess(deps, sellerId, ending, context);
  return true;
}

/**
 * Records that a password was replaced. The new one holds already, so a failure is only logged: whoever was told
 * otherwise would try the old one again, in vain.
 */
async function recordPasswordChange(
  { handle, logger }: Pick<Deps, 'handle' | 'logger'>,
  { facts, known }: RegisteredSeller,
  what: 'changed' | 'reset',
  context: CommandContext,
): Promise<void> {
  const { sellerId } = facts.state;
  const unrecorded = (reason: object) =>
    logger.error({ ...reason, sellerId }, 'a new password could not be recorded');
  try {
    const handled = await handle(
      seller,
      sellerId,
      { type: 'RecordPassword', what },
      context,
      known,
    );
    if (!handled.ok) unrecorded({ why: handled.conflict ? 'conflict' : handled.refusal.code });
  } catch (error) {
    unrecorded({ err: error });
  }
}

/**
 * Verifies a signed-in seller's password again. Gives the answer that refuses them, or null when it
 * is right. Wrong passwords slow down only this check and not the login, since they may come from
 * someone who found the browser open.
 * @param place where passwords are counted: those of one place slow down no other
 */
export function createPasswordCheck(
  deps: Pick<Deps, 'passwords' | 'clock' | 'state'>,
  place = 'password',
) {
  const attempts = createAttempts(deps.state, guessRule);
  return async (sellerId: string, field: string, password: string, client: Client) => {
    const now = deps.clock.now();
    const key = `${place}/${sellerId}`;
    const waitSeconds = Math.ceil((await attempts.begin(key, now)) / 1000);
    if (waitSeconds > 0) return tooManyGuesses(waitSeconds);
    const right = await deps.passwords
      .matches(sellerId, password, now, client)
      .catch(async (error: unknown) => {
        // See the login: a password that was not looked at was not wrong.
        if (error instanceof Overloaded && !client.disconnected.aborted)
          await attempts.giveBack(key, now);
        throw error;
      });
    if (!right)
      return refuse(400, 'This is not your password', {
        code: 'wrong_password',
        errors: { [field]: 'is not your password' },
      });
    await attempts.succeeded(key);
    return null;
  };
}

/**
 * Changes the caller's own password. All other sessions end, so anyone who knew the old password is signed out, and is
 * sent no more push messages.
 */
export function changePassword(deps: Deps): Handler<'changePassword'> {
  const check = createPasswordCheck(deps);
  return async (request) => {
    const { actor, body, clientAddress } = request;
    const { sellerId, session } = actor;
    const client = clientOf(request);
    const before = await deps.passwords.versionOf(sellerId, deps.clock.now());
    const wrong = await check(sellerId, 'old_password', body.old_password, client);
    const { facts, known } = await readSellerStream(deps, sellerId);
    if (facts === null) return wrong ?? notYours();
    const { old_password: old, new_password: wanted } = body;
    const context = contextFor(request, sellerActor(sellerId));
    const reason = 'password-changed';
    const ending = { actor: sellerId, from: clientAddress, reason, kept: session };
    const own = { facts, known };
    if (wrong?.failed.status === 429) return wrong;
    if (wrong !== null) {
      if (!(await finishReplaced(deps, own, { wanted, client, context, ending }))) return wrong;
    } else {
      const replacing = { old, before, wanted, client, context, ending };
      const replaced = await replacePassword(deps, own, replacing);
      if ('failed' in replaced) return replaced;
    }
    return { status: 200, body: { success: true, message: 'Password changed' } };
  };
}

/** The password is read aloud and typed, so characters that look alike are left out. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Four groups of four characters, joined by hyphens: 79 random bits. */
const GROUPS = 4;
const GROUP_LENGTH = 4;

type ResetResult =
  | { readonly ok: true; readonly password: string; readonly sessionsEnded: number }
  | { readonly ok: false; readonly message: string };

const randomLetter = (): string => LETTERS.charAt(randomInt(LETTERS.length));
const letterGroup = (): string => Array.from({ length: GROUP_LENGTH }, randomLetter).join('');
const oneTimePassword = (): string => Array.from({ length: GROUPS }, letterGroup).join('-');

/**
 * For an operator: gives a seller a one-time password, returned only here, and ends all their
 * sessions and push messages. The password permits nothing but choosing a new one.
 */
export async function resetPassword(
  deps: Pick<
    Deps,
    'handle' | 'eventStore' | 'passwords' | 'sessions' | 'clock' | 'logger' | 'operator'
  >,
  sellerId: string,
): Promise<ResetResult> {
  const { facts, known } = await readSellerStream(deps, sellerId);
  if (facts === null) return { ok: false, message: `There is no seller with the id ${sellerId}` };
  const password = oneTimePassword();
  const now = deps.clock.now();
  await deps.passwords.set(sellerId, password, now, { oneTime: true });
  createSecurityLog(deps.logger)({
    event: 'password-reset',
    outcome: 'granted',
    actor: deps.operator ?? OPERATOR,
    from: null,
    subject: sellerId,
  });
  const commandId = v7();
  const context = contextFor({ commandId, correlationId: commandId }, deps.operator ?? OPERATOR);
  const ending = { actor: deps.operator ?? OPERATOR, from: null, reason: 'password-reset' };
  const sessionsEnded = await endAccess(deps, sellerId, ending, context);
  await recordPasswordChange(deps, { facts, known }, 'reset', context);
  return { ok: true, password, sessionsEnded };
}
