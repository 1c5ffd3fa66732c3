import {
  type LetterKind,
  type MoneyLetterKind,
  type ObligationDocument,
  type ObligationsCollections,
  obligations,
  type Sealed,
  type TransactionDocument,
  type TransactionsCollections,
  transactions,
} from '@oja/contracts/models';
import { pagePaths } from '@oja/contracts/pages';
import { keySubject, streamNames } from '@oja/domain';
import { orderKey } from '@oja/domain/rules';
import {
  type Clock,
  type Documents,
  hasPassed,
  isPosition,
  type Keys,
  type Letter,
  LetterRefused,
  type Mail,
  nowOf,
  type ReadModels,
  type Sealer,
  type State,
} from '@oja/platform';
import { messageOf } from '../runner/retry.js';
import {
  heldAside,
  letter,
  type OrderToTell,
  paidTwice,
  paragraph,
  receipt,
  refundFailed,
  reminder,
  soldOut,
  takenBack,
  type Words,
} from './letters.js';
import { createSellerLetters } from './seller-letters.js';
import {
  claimLetter,
  isSettled,
  type Outcome,
  recordFailure,
  reminders,
  retryStateOf,
  settleLetter,
} from './sent.js';

export interface MailerOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly keys: Pick<Keys, 'isDestroyed'>;
  readonly state: State;
  readonly mail: Mail;
  readonly clock: Clock;
  /** For example `http://localhost:8080`, without a trailing slash. */
  readonly publicUrl: string;
  /** The address of support; null: letters to support end as 'nobody' and are not sent. */
  readonly supportEmail: string | null;
}

/**
 * `sent-before`: already settled. `later`: being sent by another right now; or refused, now or
 * before, and its next try is not due yet. The others: see `Outcome`.
 */
export type Delivery = Outcome | 'sent-before' | 'later';

/** No mail can be sent now. The letter itself is all right. */
export class MailDown extends Error {
  override readonly name = 'MailDown';
}

/** Sends each letter once, as far as possible: a crash right after a send makes it go out again. */
export interface Mailer {
  /** @throws MailDown, or when the order or message has not been projected yet: try again. */
  deliver(kind: LetterKind, subject: string): Promise<Delivery>;
}

/** Composes letters from read models and passes them to the mail engine. */
export function createMailer(options: MailerOptions): Mailer {
  const { documents, readModels, sealer, keys, state, mail } = options;
  const { clock, publicUrl, supportEmail } = options;
  const toSellers = createSellerLetters(options);

  async function openAll(
    stream: string,
    values: Readonly<Record<string, Sealed>>,
  ): Promise<ReadonlyMap<string, string | null>> {
    const fields = Object.keys(values);
    const opened = await sealer.openMany(
      Object.entries(values).map(([field, value]) => ({ stream, field, value })),
    );
    return new Map(fields.map((field, i) => [field, opened[i] ?? null]));
  }

  /** Whether a later reminder is due as well. After days without mail, only that one is sent. */
  async function isOvertaken(kind: LetterKind, id: string): Promise<boolean> {
    const later = reminders.slice(reminders.indexOf(kind) + 1);
    const collection = await readModels.liveCollection(obligations, 'due');
    const owed = await documents.getMany<ObligationDocument>(
      collection,
      later.map((each) => `${each}/${id}`),
    );
    const now = nowOf(options);
    return owed.some((document) => document !== null && document.due <= now);
  }

  /**
   * `subject`: `<order>`; `<order>/<refund>` for a payment that is refunded because the goods were
   * sold out; `<order>/<request>` for a receipt that the buyer asked for again.
   */
  async function orderLetter(kind: LetterKind, subject: string): Promise<Letter | Outcome> {
    const [id = '', item] = subject.split('/');
    const collection = await readModels.liveCollection(transactions, 'transactions');
    const order = await documents.get<TransactionsCollections['transactions']>(collection, id);
    if (order === null) throw new Error(`the order ${id} has not been projected yet`);
    const refund = order.refunds.find((each) => each.refundId === item);
    if (kind === 'sold-out' ? refund === undefined : order.paidAt === null)
      throw new Error(`the payment of ${id} has not been projected yet`);
    if (kind.startsWith('reminder') && (!order.unconfirmed || (await isOvertaken(kind, id))))
      return 'not-owed';
    const { fullName, email } = order.buyer;
    const stream = streamNames.transaction(id);
    const opened = await openAll(stream, { fullName, email, secret: order.secret });
    const [to, secret] = [opened.get('email') ?? null, opened.get('secret') ?? null];
    if (to === null || secret === null) return 'nobody';
    const told: OrderToTell = {
      order,
      buyerName: opened.get('fullName') ?? null,
      confirmationAddress: `${publicUrl}${pagePaths.deliveryConfirmation}#${orderKey(id, secret)}`,
    };
    const whole = addressed(kind, keySubject('transaction', id), to, wordsOf(kind, told, refund));
    return {
      ...whole,
      ...(item !== undefined && { id: `${whole.id}-${item}` }),
      ...repliesTo(supportEmail),
    };
  }

  async function contactLetter(id: string): Promise<Letter | Outcome> {
    const collection = await readModels.liveCollection(obligations, 'contacts');
    const contact = await documents.get<ObligationsCollections['contacts']>(collection, id);
    if (contact === null) throw new Error(`the message ${id} has not been projected yet`);
    const { name, email, subject, message } = contact;
    const opened = await openAll(streamNames.contact(id), { name, email, subject, message });
    const [from, text] = [opened.get('email') ?? null, opened.get('message') ?? null];
    if (supportEmail === null || from === null || text === null) return 'nobody';
    const words = letter(`[Contact] ${opened.get('subject') ?? ''}`, [
      paragraph(`${opened.get('name') ?? 'Someone'} <${from}> writes:`),
      ...text.split(/\n{2,}/).map(paragraph),
    ]);
    return {
      ...addressed('contact', keySubject('contact', id), supportEmail, words),
      ...repliesTo(from),
    };
  }

  /** Whether the order's document has what a further letter about it tells. */
  async function isShown(
    kind: MoneyLetterKind,
    { refunds }: TransactionDocument,
    item: string,
  ): Promise<boolean> {
    if (kind === 'paid-twice') return true;
    if (kind === 'held-aside') return refunds.some(({ refundId }) => refundId === item);
    return isPosition(item) && hasPassed(await readModels.checkpointOf(transactions), item);
  }

  /**
   * `subject`: `<order>`; `<order>/<refund>` for a further payment that is held aside;
   * `<order>/<payout>` for a payout that arrived twice; `<order>/<position>` for a further event
   * that took the payment back or failed a refund.
   */
  async function moneyLetter(kind: MoneyLetterKind, subject: string): Promise<Letter | Outcome> {
    const [id = '', item] = subject.split('/');
    const collection = await readModels.liveCollection(transactions, 'transactions');
    const order = await documents.get<TransactionsCollections['transactions']>(collection, id);
    if (order === null) throw new Error(`the order ${id} has not been projected yet`);
    if (item !== undefined && !(await isShown(kind, order, item)))
      throw new Error(`what is ${kind} in ${id} (${item}) has not been projected yet`);
    if (supportEmail === null) return 'nobody';
    const words =
      kind === 'paid-twice'
        ? paidTwice(order, publicUrl, item ?? '')
        : moneyWords[kind](order, publicUrl);
    if (words !== null) {
      const whole = addressed(kind, keySubject('transaction', id), supportEmail, words);
      return item === undefined ? whole : { ...whole, id: `${whole.id}-${item}` };
    }
    if (order.refunds.some(({ status }) => status === 'requested'))
      throw new Error(`what became of the refunds of ${id} has not been projected yet`);
    return 'not-owed';
  }

  const isToSeller = (kind: LetterKind): kind is keyof typeof toSellers => kind in toSellers;

  async function sellerLetter(
    kind: keyof typeof toSellers,
    subject: string,
  ): Promise<Letter | Outcome> {
    const written = await toSellers[kind](subject);
    return typeof written === 'string' ? written : { ...written, ...repliesTo(supportEmail) };
  }

  function composed(kind: LetterKind, subject: string): Promise<Letter | Outcome> {
    if (kind === 'contact') return contactLetter(subject);
    if (isToSeller(kind)) return sellerLetter(kind, subject);
    if (isAboutMoney(kind)) return moneyLetter(kind, subject);
    return orderLetter(kind, subject);
  }

  /** Also checked for queue jobs: they retry within seconds, although the refusal is permanent. */
  async function isPutOff(kind: LetterKind, subject: string): Promise<boolean> {
    const later = await retryStateOf(state, kind, subject, clock.now());
    return later !== null && later.refusals > 0 && later.nextAt > clock.now();
  }

  async function send(kind: LetterKind, subject: string, written: Letter): Promise<Delivery> {
    try {
      // Send first, record afterwards: after a crash in between, the letter is sent again under the same id.
      await mail.send(written);
    } catch (error) {
      if (!(error instanceof LetterRefused)) throw new MailDown(messageOf(error), { cause: error });
      const refused = { error: error.message, isRefused: true };
      return (await recordFailure(state, kind, subject, refused, clock.now()))
        ? 'later'
        : 'refused';
    }
    await forgetErased(kind, written);
    await settleLetter(state, kind, subject, 'sent', clock.now());
    return 'sent';
  }

  /**
   * An erasure may have deleted the person's letters after this one was composed and before it was stored. Letters
   * about money are composed for erased people too: they contain nothing about them.
   */
  async function forgetErased(kind: LetterKind, { subject }: Letter): Promise<void> {
    if (!isAboutMoney(kind) && (await keys.isDestroyed(subject))) await mail.forget(subject);
  }

  return {
    async deliver(kind, subject) {
      if (await isSettled(state, kind, subject, clock.now())) return 'sent-before';
      if (await isPutOff(kind, subject)) return 'later';
      const written = await composed(kind, subject);
      if (typeof written === 'string') {
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

function wordsOf(
  kind: LetterKind,
  told: OrderToTell,
  refund: { readonly amount: number } | undefined,
): Words {
  if (refund !== undefined) return soldOut(told, refund.amount);
  return kind === 'receipt' || kind === 'receipt-again' ? receipt(told) : reminder(told);
}

/** Null when the letter is no longer owed, or its cause has not been projected yet. */
const moneyWords: Readonly<
  Record<
    Exclude<MoneyLetterKind, 'paid-twice'>,
    (order: TransactionDocument, publicUrl: string) => Words | null
  >
> = { 'held-aside': heldAside, 'taken-back': takenBack, 'refund-failed': refundFailed };

const isAboutMoney = (kind: LetterKind): kind is MoneyLetterKind =>
  kind === 'paid-twice' || kind in moneyWords;

function addressed(kind: LetterKind, subject: string, to: string, words: Words): Letter {
  return { id: `${kind}-${subject.replace(':', '-')}`, subject, to, ...words };
}

function repliesTo(address: string | null): Pick<Letter, 'replyTo'> {
  return address === null ? {} : { replyTo: address };
}
