import {
  type LetterKind,
  type MoneyLetterKind,
  type NewsLetterKind,
  type ObligationsCollections,
  obligations,
  type Sealed,
  type TransactionDocument,
  type TransactionsCollections,
  transactions,
} from '@oja/contracts/models';
import { keySubject, streamNames } from '@oja/domain';
import { orderKey } from '@oja/domain/rules';
import {
  type Clock,
  type Documents,
  type Letter,
  LetterRefused,
  type Mail,
  type ReadModels,
  type Sealer,
  type State,
} from '@oja/platform';
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
import { isSettled, laterOf, type Outcome, putOff, settleLetter } from './sent.js';

export interface MailerOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly state: State;
  readonly mail: Mail;
  readonly clock: Clock;
  /** `http://localhost:8080`, without a slash at its end. */
  readonly publicUrl: string;
  /** Where messages to the support go; null: they are kept, and sent nowhere. */
  readonly supportEmail: string | null;
}

/**
 * 'nobody': there is no address any more; 'not-owed': it is answered, read or too old by now; 'refused': given
 * up; 'later': it was refused, now or before, and is not tried again yet.
 */
export type Delivery = Outcome | 'sent-before' | 'later';

/** Sends each letter once, as far as a letter can be sent once. */
export interface Mailer {
  /** @throws when the order or message is not there yet, or no mail goes out: try again. */
  deliver(kind: LetterKind, subject: string): Promise<Delivery>;
}

/** Writes letters from read models and hands them to the mail. */
export function createMailer(options: MailerOptions): Mailer {
  const { documents, readModels, sealer, state, mail, clock, publicUrl, supportEmail } = options;
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

  /**
   * `<order>`; `<order>/<refund>` of a payment that goes back because the goods were sold out, `<order>/<request>` of a
   * receipt that was asked for again.
   */
  async function orderLetter(kind: LetterKind, subject: string): Promise<Letter | Outcome> {
    const [id = '', item] = subject.split('/');
    const collection = await readModels.liveCollection(transactions, 'transactions');
    const order = await documents.get<TransactionsCollections['transactions']>(collection, id);
    if (order === null) throw new Error(`the order ${id} has not been projected yet`);
    const refund = order.refunds.find((each) => each.refundId === item);
    if (kind === 'sold-out' ? refund === undefined : order.paidAt === null)
      throw new Error(`the payment of ${id} has not been projected yet`);
    if (kind.startsWith('reminder') && !order.unconfirmed) return 'not-owed';
    const { fullName, email } = order.buyer;
    const stream = streamNames.transaction(id);
    const opened = await openAll(stream, { fullName, email, secret: order.secret });
    const [to, secret] = [opened.get('email') ?? null, opened.get('secret') ?? null];
    if (to === null || secret === null) return 'nobody';
    const told: OrderToTell = {
      order,
      buyerName: opened.get('fullName') ?? null,
      confirmationAddress: `${publicUrl}/payment/verify/delivery-confirmation#${orderKey(id, secret)}`,
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

  /** `<order>`; `<order>/<refund>` of a further payment that is held aside, `<order>/<payout>` of one too many. */
  async function moneyLetter(kind: MoneyLetterKind, subject: string): Promise<Letter | Outcome> {
    const [id = '', item] = subject.split('/');
    const collection = await readModels.liveCollection(transactions, 'transactions');
    const order = await documents.get<TransactionsCollections['transactions']>(collection, id);
    if (order === null) throw new Error(`the order ${id} has not been projected yet`);
    const isRefund = item !== undefined && kind !== 'paid-twice';
    if (isRefund && !order.refunds.some(({ refundId }) => refundId === item))
      throw new Error(`the payment ${item} of ${id} has not been projected yet`);
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

  async function sellerLetter(
    kind: 'email-code' | NewsLetterKind,
    subject: string,
  ): Promise<Letter | Outcome> {
    const written = await (kind === 'email-code'
      ? toSellers.code(subject)
      : toSellers.news(subject));
    return typeof written === 'string' ? written : { ...written, ...repliesTo(supportEmail) };
  }

  function composed(kind: LetterKind, subject: string): Promise<Letter | Outcome> {
    if (kind === 'contact') return contactLetter(subject);
    if (kind === 'email-code' || kind === 'seller-news') return sellerLetter(kind, subject);
    if (isAboutMoney(kind)) return moneyLetter(kind, subject);
    return orderLetter(kind, subject);
  }

  /** Also where a queue asks: it would ask again within seconds what has been answered for good. */
  async function isPutOff(kind: LetterKind, subject: string): Promise<boolean> {
    const later = await laterOf(state, kind, subject, clock.now());
    return later !== null && later.refusals > 0 && later.nextAt > clock.now();
  }

  return {
    async deliver(kind, subject) {
      if (await isSettled(state, kind, subject, clock.now())) return 'sent-before';
      if (await isPutOff(kind, subject)) return 'later';
      const written = await composed(kind, subject);
      const outcome = typeof written === 'string' ? written : 'sent';
      try {
        // Sent first, remembered after: a crash between the two sends it again under the same id.
        if (typeof written !== 'string') await mail.send(written);
      } catch (error) {
        if (!(error instanceof LetterRefused)) throw error;
        const refused = { error: error.message, isRefused: true };
        return (await putOff(state, kind, subject, refused, clock.now())) ? 'later' : 'refused';
      }
      await settleLetter(state, kind, subject, outcome, clock.now());
      return outcome;
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

/** Null: it is not owed any more, or not there yet. */
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
