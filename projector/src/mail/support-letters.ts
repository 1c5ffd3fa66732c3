import {
  type LetterKind,
  type MoneyLetterKind,
  type ObligationDocument,
  type ObligationsCollections,
  obligations,
  type TransactionDocument,
  transactions,
} from '@oja/contracts/models';
import { pagePath } from '@oja/contracts/pages';
import { keySubject, shareIndexOf, streamNames } from '@oja/domain';
import { formatMoney, formatNaira } from '@oja/domain/rules';
import {
  type Documents,
  hasPassed,
  isPosition,
  type Letter,
  type ReadModels,
  type Sealer,
} from '@oja/platform';
import { projectedOrder, sumOf } from './buyer-letters.js';
import { type Content, link, paragraph, render, table, toLetter } from './letter.js';
import type { Outcome } from './letter-state.js';

interface SupportLettersOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  /** Null: letters to the support wait until there is an address. */
  readonly supportEmail: string | null;
}

/**
 * Composes the letters to the support. Returns an outcome instead when nothing is to be sent.
 * @throws when the order or message has not been projected yet, or there is no address to send it to.
 */
export function createSupportLetters(options: SupportLettersOptions) {
  const { documents, readModels, sealer, publicUrl, supportEmail } = options;

  async function listedOf(kind: MoneyLetterKind, subject: string) {
    const collection = await readModels.liveCollection(obligations, 'due');
    return documents.get<ObligationDocument>(collection, `${kind}/${subject}`);
  }

  /** Whether the order's document contains what a letter about it says. */
  async function isProjected(
    kind: MoneyLetterKind,
    { refunds, transactionId }: TransactionDocument,
    item: string,
  ): Promise<boolean> {
    if (kind === 'paid-twice' || kind === 'returned-in-part') return true;
    if (kind === 'held-aside') return refunds.some(({ refundId }) => refundId === item);
    // The last event that caused the letter, which is that of the letter or a later one.
    const subject = kind === 'disputed' ? `${transactionId}/${item}` : transactionId;
    const listed = await listedOf(kind, subject);
    if (listed === null || !isPosition(listed.position)) return true;
    return hasPassed(await readModels.checkpointOf(transactions), listed.position);
  }

  /**
   * Whether the cause of a letter was undone, or never was one, so that it is owed no more. Letters about money are only
   * sent if listed.
   */
  async function isUndone(
    kind: MoneyLetterKind,
    order: TransactionDocument,
    subject: string,
  ): Promise<boolean> {
    switch (kind) {
      case 'paid-twice':
        return (await listedOf(kind, subject)) === null;
      case 'disputed': {
        const listed = await listedOf(kind, subject);
        return listed === null || listed.item !== order.reference || !isAtStake(order);
      }
      default:
        return false;
    }
  }

  /**
   * The content of a letter; null when it is no longer owed. What the bank took or a dispute gave back is told by the event
   * that asked for the letter. `subject` and `item`: as of `money`.
   */
  async function contentOf(
    kind: MoneyLetterKind,
    order: TransactionDocument,
    subject: string,
    item: string,
  ): Promise<Content | null> {
    switch (kind) {
      case 'paid-twice':
        return paidTwice(order, publicUrl, item);
      case 'taken-back': {
        const listed = await listedOf(kind, order.transactionId);
        return listed === null ? null : takenBack(order, publicUrl, listed.amount ?? order.amount);
      }
      case 'returned-in-part': {
        const returned = (await listedOf(kind, subject))?.amount ?? null;
        return returned === null ? null : returnedInPart(order, publicUrl, returned);
      }
      default:
        return moneyLetters[kind](order, publicUrl);
    }
  }

  /** What visitors wrote, and what needs a person's eyes, is kept for them: nobody else is told of it. */
  function supportAddress(): string {
    if (supportEmail === null)
      throw new Error('SUPPORT_EMAIL is not set, and this letter waits for it');
    return supportEmail;
  }

  return {
    /** Forwards a visitor's message. `id`: of the message. */
    async contact(id: string): Promise<Letter | Outcome> {
      const collection = await readModels.liveCollection(obligations, 'contacts');
      const contact = await documents.get<ObligationsCollections['contacts']>(collection, id);
      if (contact === null) throw new Error(`the message ${id} has not been projected yet`);
      const stream = streamNames.contact(id);
      const [name, from, title, text] = await sealer.openMany(
        (['name', 'email', 'subject', 'message'] as const).map((field) => ({
          stream,
          field,
          value: contact[field],
        })),
      );
      if (from == null || text == null) return 'nobody';
      const content = render(`[Contact] ${title ?? ''}`, [
        paragraph(`${name ?? 'Someone'} <${from}> writes:`),
        ...text.split(/\n{2,}/).map(paragraph),
      ]);
      return {
        ...toLetter('contact', keySubject('contact', id), supportAddress(), content),
        replyTo: from,
      };
    },

    /**
     * `subject`: `<order>`; `<order>/<refund>` for a further payment that is held aside;
     * `<order>/<dispute>` for a disputed payment, and for a part of it that was given back; `<order>/<payout>` for a
     * payout that arrived twice; `<order>/<event>` for a further event that took the payment back or failed a refund.
     */
    async money(kind: MoneyLetterKind, subject: string): Promise<Letter | Outcome> {
      const [id = '', item] = subject.split('/');
      const order = await projectedOrder(options, id);
      if (item !== undefined && !(await isProjected(kind, order, item)))
        throw new Error(`what is ${kind} in ${id} (${item}) has not been projected yet`);
      if (await isUndone(kind, order, subject)) return 'not-owed';
      const content = await contentOf(kind, order, subject, item ?? '');
      if (content !== null)
        return toLetter(kind, keySubject('transaction', id), supportAddress(), content, item);
      if (kind === 'refund-failed' && order.refunds.some(({ status }) => status === 'requested'))
        throw new Error(`what became of the refunds of ${id} has not been projected yet`);
      return 'not-owed';
    },
  };
}

/** The content of letters about money. They must not contain anything about the buyer. */

const openOrder = (publicUrl: string, { transactionId }: TransactionDocument) =>
  link('The order', `${publicUrl}${pagePath('transaction', { transactionId })}`);

const refundTable = (refunds: TransactionDocument['refunds']) =>
  table(
    refunds.map(({ amount, currency, status }) => [
      `Refund ${status}`,
      formatMoney(amount, currency),
    ]),
  );

/** A payment arrived that does not pay for the order. */
function heldAside(order: TransactionDocument, publicUrl: string): Content {
  const asides = order.refunds.filter((refund) => refund.of === 'held-aside');
  return render(`[Money] Held aside: a payment for order ${order.transactionId}`, [
    paragraph(
      'A payment came in for this order that does not pay for it: the amount or the currency is wrong, ' +
        'the order was paid before, its goods were sold out, or its buyer or a seller was forgotten. It is held aside and refunded in full without your help.',
    ),
    refundTable(asides),
    paragraph(
      'Look again tomorrow: while "oja status" names money that is held aside, it has not arrived.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** Refunds that the provider refused or could not make; null when the order has no failed refund. */
function refundFailed(order: TransactionDocument, publicUrl: string): Content | null {
  const failed = order.refunds.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return null;
  return render(`[Money] Not given back: a refund of order ${order.transactionId}`, [
    paragraph(
      'The payment provider did not make a refund that is owed to the buyer of this order. Oja asks for ' +
        'it again, ever less often, at least once a day.',
    ),
    refundTable(failed),
    paragraph(
      `What the provider said is shown by "oja events show transaction-${order.transactionId}". A refund of ` +
        'the same amount that is made by hand at the provider is recognised, and nothing more is asked for.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** A transfer that an operator had given up and settled otherwise arrived after all. */
function paidTwice(order: TransactionDocument, publicUrl: string, payoutId: string): Content {
  const share = order.shares[shareIndexOf(order.transactionId, payoutId) ?? -1];
  return render(`[Money] Paid twice: a seller of order ${order.transactionId}`, [
    paragraph(
      'A transfer to a seller of this order was given up by whoever runs the market, and its share was ' +
        'paid by other means or went back to the buyer. The transfer has arrived after all, at the loss of ' +
        'the market. Ask the seller for it: Oja takes nothing from what they are owed for other orders.',
    ),
    table(share === undefined ? [] : [[share.businessName, formatNaira(share.share)]]),
    paragraph(
      `The transfer is ${payoutId} at the payment provider; who gave it up, and why, and whether the bank has ` +
        `returned it since, is shown by "oja events show transaction-${order.transactionId}".`,
    ),
    openOrder(publicUrl, order),
  ]);
}

/** What the bank can take: what was paid, less what was given back already. In kobo. */
const atStake = ({ amount, refunds }: TransactionDocument): number =>
  amount - sumOf(refunds.filter(({ of, status }) => of === 'goods' && status === 'completed'));

/** Whether evidence can still win something: not once the bank has the payment, nor where all of it goes back anyway. */
const isAtStake = ({ status, amount, refunds }: TransactionDocument): boolean =>
  status !== 'reversed' && sumOf(refunds.filter(({ of }) => of === 'goods')) < amount;

/** `₦9,000 of the payment of ₦32,000`, or the payment alone where it is all of it. `part`: in kobo. */
function partOfPayment({ amount }: TransactionDocument, part: number): string {
  const whole = `the payment of ${formatNaira(amount)}`;
  return part === amount ? whole : `${formatNaira(part)} of ${whole}`;
}

/** A dispute that may still be won. */
function disputed(order: TransactionDocument, publicUrl: string): Content {
  return render(`[Money] Disputed: the payment of order ${order.transactionId}`, [
    paragraph(
      `A cardholder tells their bank that ${partOfPayment(order, atStake(order))} was not rightly taken. Until the bank has decided it ` +
        'may take it back. Nothing of this order is paid out by transfer meanwhile; what is paid by hand is lost if it does.',
    ),
    paragraph(
      'Hand in evidence at the payment provider, within the days it gives: what was ordered, the proof of the ' +
        'hand-over, and what the buyer has confirmed or complained about. Without any, the payment is lost.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/**
 * A chargeback. What the sellers were already paid is the market's loss. `taken`: what the bank took, in kobo. The
 * order's refunds do not tell it: one that was under way may have gone through since.
 */
function takenBack(order: TransactionDocument, publicUrl: string, taken: number): Content {
  const paid = order.shares.filter(({ status }) => status === 'paid-out');
  return render(`[Money] Taken back: the payment of order ${order.transactionId}`, [
    paragraph(
      `The bank of the cardholder took back ${partOfPayment(order, taken)}. What was still held for the sellers went with it. ` +
        'No transfer is begun for this order any more; one that is under way may still arrive, at the loss of the market.',
    ),
    ...(paid.length === 0
      ? []
      : [
          paragraph('These sellers were paid before, at the loss of the market:'),
          table(paid.map(({ businessName, share }) => [businessName, formatNaira(share)])),
        ]),
    openOrder(publicUrl, order),
  ]);
}

/** A dispute that was lost or accepted for a part of the payment. `returned`: that part, in kobo. */
function returnedInPart(order: TransactionDocument, publicUrl: string, returned: number): Content {
  const open = order.shares.filter(({ status }) => status === 'held' || status === 'disputed');
  return render(`[Money] Given back in part: the payment of order ${order.transactionId}`, [
    paragraph(
      `A dispute has ended, and the cardholder got ${partOfPayment(order, returned)}. The books show it as the loss of the market.`,
    ),
    ...(open.length === 0
      ? [paragraph('What the sellers are still owed for this order is paid to them all the same.')]
      : [
          paragraph(
            'If it was for goods of these sellers, settle them for the buyer: what the cardholder has got counts, and only ' +
              'the rest is sent. Otherwise they are paid in full once the delivery is confirmed.',
          ),
          table(open.map(({ businessName, paid }) => [businessName, formatNaira(paid)])),
        ]),
    openOrder(publicUrl, order),
  ]);
}

/** Null when the letter is no longer owed, or its cause has not been projected yet. */
const moneyLetters: Readonly<
  Record<
    Exclude<MoneyLetterKind, 'paid-twice' | 'taken-back' | 'returned-in-part'>,
    (order: TransactionDocument, publicUrl: string) => Content | null
  >
> = {
  'held-aside': heldAside,
  disputed,
  'refund-failed': refundFailed,
};

export const isAboutMoney = (kind: LetterKind): kind is MoneyLetterKind =>
  kind === 'paid-twice' ||
  kind === 'taken-back' ||
  kind === 'returned-in-part' ||
  kind in moneyLetters;
