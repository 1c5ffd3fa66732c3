import type { LetterKind } from '@oja/contracts/models';
import { keySubject } from '@oja/domain';
import {
  type Clock,
  type Documents,
  type Keys,
  type Letter,
  LetterPutOff,
  LetterRefused,
  type Logger,
  type Mail,
  messageOf,
  type ReadModels,
  redactText,
  type Sealer,
  type State,
} from '@oja/platform';
import { createBuyerLetters } from './buyer-letters.js';
import {
  claimLetter,
  isRetryDue,
  isSettled,
  isWaitingForReceiver,
  type Outcome,
  readRetryState,
  recordFailure,
  settleLetter,
} from './letter-state.js';
import { createSellerLetters } from './seller-letters.js';
import { classifyAnswer, endRefusalRun } from './server-answers.js';
import { createSupportLetters, isAboutMoney } from './support-letters.js';

export interface MailerOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly keys: Pick<Keys, 'isDestroyed'>;
  readonly state: State;
  readonly mail: Mail;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For example `http://localhost:8080`, without a trailing slash. */
  readonly publicUrl: string;
  /** The address of support; null: letters to support wait until there is one. */
  readonly supportEmail: string | null;
  /** Aborted when a letter that is being sent is to be given up. */
  readonly ending?: AbortSignal;
}

/**
 * `sent-before`: already settled. `later`: being sent by another right now; or refused or put off, now or
 * before, and its next try is not due yet. `takes-none`: the mail server takes no letter. The others: see `Outcome`.
 */
type Delivery = Outcome | 'sent-before' | 'later' | 'takes-none';

/** No mail can be sent now. The letter itself is all right. */
export class MailDown extends Error {
  override readonly name = 'MailDown';
}

/** Sends each letter once, as far as possible: a crash right after a send makes it go out again. */
export interface Mailer {
  /** @throws MailDown, or when the order or message has not been projected yet or nobody can be written to: try again. */
  deliver(kind: LetterKind, subject: string): Promise<Delivery>;
}

/** Composes letters from read models and passes them to the mail engine. */
export function createMailer(options: MailerOptions): Mailer {
  const { keys, state, mail, clock, logger, supportEmail, ending } = options;
  const toBuyer = createBuyerLetters(options);
  const toSeller = createSellerLetters(options);
  const toSupport = createSupportLetters(options);

  const isToSeller = (kind: LetterKind): kind is keyof typeof toSeller => kind in toSeller;

  async function compose(kind: LetterKind, subject: string): Promise<Letter | Outcome> {
    if (kind === 'contact') return toSupport.contact(subject);
    if (isAboutMoney(kind)) return toSupport.money(kind, subject);
    const written = await (isToSeller(kind) ? toSeller[kind](subject) : toBuyer(kind, subject));
    if (typeof written === 'string' || supportEmail === null) return written;
    return { ...written, replyTo: supportEmail };
  }

  /** Also checked for queue jobs: they retry within seconds, although the answer stays the same for longer. */
  async function isPutOff(kind: LetterKind, subject: string): Promise<boolean> {
    const retry = await readRetryState(state, kind, subject, clock.now());
    return retry !== null && isWaitingForReceiver(retry) && !isRetryDue(retry, clock.now());
  }

  async function send(kind: LetterKind, subject: string, written: Letter): Promise<Delivery> {
    try {
      // Send first, record afterwards: after a crash in between, the letter is sent again under the same id.
      await mail.send(written, ending);
    } catch (error) {
      if (error instanceof LetterRefused || error instanceof LetterPutOff)
        return notTaken(kind, subject, written, error);
      throw new MailDown(messageOf(error), { cause: error });
    }
    await forgetErased(kind, written.subject);
    await endRefusalRun(state, clock.now());
    await settleLetter(state, kind, subject, 'sent', clock.now());
    return 'sent';
  }

  /** Records what the mail server has answered to a letter that it does not take. */
  async function notTaken(
    kind: LetterKind,
    subject: string,
    { to }: Letter,
    answered: LetterRefused | LetterPutOff,
  ): Promise<Delivery> {
    const error = redactText(answered.message);
    const answer = answered instanceof LetterRefused ? 'refused' : 'put-off';
    logger.warn({ kind, subject, answer, error }, 'the mail server did not take an e-mail');
    const earlierRun = (await readRetryState(state, kind, subject, clock.now()))?.run;
    const verdict = await classifyAnswer(state, { to, error, earlierRun }, clock.now());
    if (verdict.isFirstOfOutage)
      logger.error({ error }, 'the mail server takes no e-mail, whoever it is to');
    const failure = { error, answer, verdict } as const;
    const retry = await recordFailure(state, kind, subject, failure, clock.now());
    if (retry === null) return 'refused';
    return verdict.fault === 'server' ? 'takes-none' : 'later';
  }

  /**
   * An erasure may have deleted the person's letters after this one was composed and before it was stored. Letters
   * about money are composed for erased people too: they contain nothing about them.
   */
  async function forgetErased(kind: LetterKind, person: string): Promise<void> {
    if (!isAboutMoney(kind) && (await keys.isDestroyed(person))) await mail.forget(person);
  }

  /** Whose letter it is, as a key subject; the subject of a letter begins with the id of that person. */
  function personOf(kind: LetterKind, subject: string): string {
    const [id = ''] = subject.split('/');
    if (kind === 'contact') return keySubject('contact', id);
    return keySubject(isToSeller(kind) ? 'seller' : 'transaction', id);
  }

  return {
    async deliver(kind, subject) {
      if (await isSettled(state, kind, subject, clock.now())) return 'sent-before';
      if (await isPutOff(kind, subject)) return 'later';
      const written = await compose(kind, subject);
      if (typeof written === 'string') {
        // The process of an earlier try may have died after it stored the letter and before it looked again.
        await forgetErased(kind, personOf(kind, subject));
        await settleLetter(state, kind, subject, written, clock.now());
        return written;
      }
      const endClaim = await claimLetter(state, kind, subject, clock.now());
      if (endClaim === null) return 'later';
      try {
        // Look again: another may have sent it since the first look.
        if (await isSettled(state, kind, subject, clock.now())) return 'sent-before';
        return await send(kind, subject, written);
      } finally {
        await endClaim();
      }
    },
  };
}
