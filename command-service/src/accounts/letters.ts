import { createHash, randomInt } from 'node:crypto';
import {
  codeExpiresAt,
  DAY_MS,
  emailCodes,
  type SellerLetterCommand,
  type SellerLetters,
  type SellerState,
  seller,
  sellerActor,
  streamNames,
  triesLeft,
} from '@oja/domain';
import { createRateLimiter, type RateRule, refuse } from '@oja/http';
import { isSameSecret, type Loaded, nowOf } from '@oja/platform';
import { contextFor, failedAnswer } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { createPasswordCheck } from './password.js';
import { clientOf } from './passwords.js';
import { sealForSeller } from './seller-facts.js';

/**
 * The domain limits the codes of one seller. This rule limits the codes to one mailbox across all
 * sellers, so that nobody's mailbox can be flooded.
 */
const perMailbox: RateRule = { name: 'email-code-to', limit: emailCodes.aDay, windowMs: DAY_MS };

/** Hosts that ignore dots in the name of a mailbox. */
const DOTLESS = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox of an address as the rate limiter stores it: hashed, so that it does not reveal the
 * address. Most hosts deliver `ada+anything` to `ada`: such names are one mailbox.
 */
function mailboxOf(email: string): string {
  const [name = '', host = ''] = email.toLowerCase().split('@');
  const [bare = ''] = name.split('+');
  const mailbox = DOTLESS.includes(host) ? bare.replaceAll('.', '') : bare;
  return createHash('sha256').update(`${mailbox}@${host}`).digest('hex');
}

const newCode = (): string =>
  String(randomInt(10 ** emailCodes.digits)).padStart(emailCodes.digits, '0');

type Request = Parameters<Handler<'removeLetterAddress'>>[0];
type OwnRequest = Pick<Request, 'actor' | 'commandId' | 'correlationId'>;

/** Runs a command on the caller's own stream. */
const runCommand = (
  { handle }: Pick<Deps, 'handle'>,
  { actor, ...request }: OwnRequest,
  command: SellerLetterCommand,
  known?: Loaded<SellerState>,
) =>
  handle(seller, actor.sellerId, command, contextFor(request, sellerActor(actor.sellerId)), known);

const lettersOf = (state: SellerState): SellerLetters | null =>
  state.status === 'registered' ? state.letters : null;

/** Requests a letter with a code to an address. The password is required again. */
export function askLetterAddress(deps: Deps): Handler<'askLetterAddress'> {
  const check = createPasswordCheck(deps);
  const limiter = createRateLimiter(deps.state);
  return async (request) => {
    const { sellerId } = request.actor;
    const { email, password } = request.body;
    const wrong = await check(sellerId, 'password', password, clientOf(request));
    if (wrong !== null) return wrong;
    const mailbox = mailboxOf(email);
    const now = deps.clock.now();
    const counted = await limiter.hit(perMailbox, mailbox, now);
    if (!counted.allowed)
      return refuse(429, 'Too many codes were sent to this address today. Try again tomorrow.', {
        code: 'email_codes_a_day',
        headers: { 'Retry-After': String(counted.retryAfterSeconds) },
      });
    const at = new Date(now).toISOString();
    const giveBack = () => limiter.giveBack(perMailbox, mailbox, now);
    const write = async () => {
      const sealed = await sealForSeller(deps, sellerId, { email, code: newCode() });
      return runCommand(deps, request, { type: 'AskEmail', ...sealed, at });
    };
    // What no engine could take does not count. If it was written all the same, it does in the seller's stream.
    const handled = await write().catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    // A refused or repeated request sends no letter, so it does not count.
    if (!handled.ok || handled.repeated) await giveBack();
    if (!handled.ok) return failedAnswer(handled);
    const ends_at = codeExpiresAt(lettersOf(handled.state)?.asked?.at ?? at);
    return { status: 200, body: { success: true, ends_at }, position: handled.position };
  };
}

function wrongCodeAnswer(letters: SellerLetters | null) {
  const left = letters === null ? 0 : triesLeft(letters);
  const next = left === 0 ? 'Send a new one.' : left === 1 ? '1 try left.' : `${left} tries left.`;
  const problem = `This is not the code of the letter. ${next}`;
  return refuse(400, problem, { code: 'wrong_email_code', errors: { code: problem } });
}

/** Confirms the address if the caller typed the code of the letter. */
export const confirmLetterAddress =
  (deps: Deps): Handler<'confirmLetterAddress'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const known = await deps.load(seller, sellerId);
    const letters = lettersOf(known.state);
    const sealed = letters?.asked?.code;
    const code = sealed && (await deps.sealer.open(streamNames.seller(sellerId), 'code', sealed));
    const command = {
      type: 'ConfirmEmail',
      ask: letters?.asks ?? 0,
      isRight: typeof code === 'string' && isSameSecret(code, request.body.code),
      at: nowOf(deps),
    } as const;
    const handled = await runCommand(deps, request, command, known);
    if (!handled.ok) return failedAnswer(handled);
    if (handled.events.some(({ type }) => type === 'SellerEmailMistyped'))
      return wrongCodeAnswer(lettersOf(handled.state));
    return { status: 200, body: { success: true }, position: handled.position };
  };

export const removeLetterAddress =
  (deps: Deps): Handler<'removeLetterAddress'> =>
  async (request) => {
    const handled = await runCommand(deps, request, { type: 'RemoveEmail' });
    if (!handled.ok) return failedAnswer(handled);
    return { status: 200, body: { success: true }, position: handled.position };
  };

export const switchLetters =
  (deps: Deps): Handler<'switchLetters'> =>
  async (request) => {
    const handled = await runCommand(deps, request, { type: 'SwitchLetters', on: request.body.on });
    if (!handled.ok) return failedAnswer(handled);
    return { status: 200, body: { success: true }, position: handled.position };
  };
