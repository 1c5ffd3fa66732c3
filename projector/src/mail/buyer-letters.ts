import {
  type LetterKind,
  type MoneyLetterKind,
  type ObligationDocument,
  obligations,
  type ShareStatus,
  type TransactionDocument,
  type TransactionRefund,
  type TransactionsCollections,
  transactions,
} from '@oja/contracts/models';
import { pagePaths } from '@oja/contracts/pages';
import { keySubject, streamNames } from '@oja/domain';
import { formatNaira, orderKey } from '@oja/domain/rules';
import {
  type Clock,
  type Documents,
  type Letter,
  nowOf,
  type ReadModels,
  type Sealer,
} from '@oja/platform';
import { type Content, greeting, link, paragraph, render, table, toLetter } from './letter.js';
import { type Outcome, reminders } from './letter-state.js';

type BuyerLetterKind = Exclude<
  LetterKind,
  'contact' | MoneyLetterKind | 'email-code' | 'address-left' | 'seller-warning' | 'seller-news'
>;

interface Projected {
  readonly documents: Documents;
  readonly readModels: ReadModels;
}

/** @throws when the order has not been projected yet. */
export async function projectedOrder(
  { documents, readModels }: Projected,
  id: string,
): Promise<TransactionDocument> {
  const collection = await readModels.liveCollection(transactions, 'transactions');
  const order = await documents.get<TransactionsCollections['transactions']>(collection, id);
  if (order === null) throw new Error(`the order ${id} has not been projected yet`);
  return order;
}

interface BuyerLettersOptions extends Projected {
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * Composes the letters to buyers. `subject`: `<order>`; `<order>/<refund>` for a payment that is refunded
 * because the goods were sold out; `<order>/<request>` for a receipt that the buyer asked for again. Returns an
 * outcome instead when nothing is to be sent.
 * @throws when the order or its payment has not been projected yet.
 */
export function createBuyerLetters(
  options: BuyerLettersOptions,
): (kind: BuyerLetterKind, subject: string) => Promise<Letter | Outcome> {
  const { documents, readModels, sealer, publicUrl } = options;

  /** Whether a later reminder is due as well. After days without mail, only that one is sent. */
  async function isOvertaken(kind: BuyerLetterKind, id: string): Promise<boolean> {
    const later = reminders.slice(reminders.indexOf(kind) + 1);
    const collection = await readModels.liveCollection(obligations, 'due');
    const owed = await documents.getMany<ObligationDocument>(
      collection,
      later.map((reminder) => `${reminder}/${id}`),
    );
    const now = nowOf(options);
    return owed.some((document) => document !== null && document.due <= now);
  }

  return async (kind, subject) => {
    const [id = '', item] = subject.split('/');
    const order = await projectedOrder(options, id);
    const refund = order.refunds.find(({ refundId }) => refundId === item);
    if (kind === 'sold-out' ? refund === undefined : order.paidAt === null)
      throw new Error(`the payment of ${id} has not been projected yet`);
    if (kind.startsWith('reminder') && (!order.unconfirmed || (await isOvertaken(kind, id))))
      return 'not-owed';
    const stream = streamNames.transaction(id);
    const [to, secret, buyerName] = await sealer.openMany([
      { stream, field: 'email', value: order.buyer.email },
      { stream, field: 'secret', value: order.secret },
      { stream, field: 'fullName', value: order.buyer.fullName },
    ]);
    if (to == null || secret == null) return 'nobody';
    const unsealed: UnsealedOrder = {
      order,
      buyerName: buyerName ?? null,
      confirmationAddress: `${publicUrl}${pagePaths.deliveryConfirmation}#${orderKey(id, secret)}`,
    };
    const content = composeLetter(kind, unsealed, refund);
    return toLetter(kind, keySubject('transaction', id), to, content, item);
  };
}

/** An order with the buyer's sealed values opened. */
interface UnsealedOrder {
  readonly order: TransactionDocument;
  /** Null once the buyer's key is destroyed. */
  readonly buyerName: string | null;
  /** Page where the buyer confirms the delivery. It contains the order's secret: only the buyer may get it. */
  readonly confirmationAddress: string;
}

function composeLetter(
  kind: BuyerLetterKind,
  unsealed: UnsealedOrder,
  refund: { readonly amount: number } | undefined,
): Content {
  if (refund !== undefined) return soldOut(unsealed, refund.amount);
  return kind === 'receipt' || kind === 'receipt-again' ? receipt(unsealed) : reminder(unsealed);
}

/** The receipt, sent when a payment is verified, and again when the buyer asks for it. */
function receipt(unsealed: UnsealedOrder): Content {
  const { order, buyerName } = unsealed;
  return render(`Your Oja order: ${formatNaira(order.amount)} received`, [
    paragraph(greeting(buyerName)),
    paragraph(
      'Thank you for your order. Your payment has arrived, and the sellers have been told.',
    ),
    table(rows(order)),
    paragraph(`Payment reference: ${order.reference}`),
    ...nextSteps(unsealed),
    paragraph('Oja'),
  ]);
}

/**
 * How to confirm the delivery, and what has become of the goods that are settled already. Once there is nothing to
 * confirm or to settle: how the order stands, without the order's secret.
 */
function nextSteps({ order, confirmationAddress }: UnsealedOrder) {
  if (order.status !== 'success' || order.closed || order.deliveredAt !== null)
    return [paragraph(settledText(order))];
  const settled = settledSentences(order);
  const money = settled.length === 0 ? 'your money' : 'the rest of your money';
  const disputed = sellersOf(order, 'disputed');
  if (sellersOf(order, 'held') === '')
    return [
      paragraph(
        `${[...settled, `We hold ${money} while we look into what you complained about.`].join(' ')} This page tells how it stands.`,
      ),
      link('How your order stands', confirmationAddress),
      paragraph('The link is yours alone: whoever has it can see the order. Please keep it.'),
    ];
  const others = [
    ...settled,
    ...(disputed === '' ? [] : [`We are looking into the goods of ${disputed}.`]),
  ];
  const goods = others.length === 0 ? 'the goods' : 'the other goods';
  const how =
    `We hold ${money} until you tell us that ${goods} have come. When they have, open this ` +
    'page and choose Yes; if something is missing or wrong, you can say so there too.';
  return [
    paragraph([...others, how].join(' ')),
    link('Confirm the delivery', confirmationAddress),
    paragraph('The link is yours alone: whoever has it can confirm the delivery. Please keep it.'),
  ];
}

/** The names of the sellers whose goods stand so, as a list to read. */
const sellersOf = ({ shares }: TransactionDocument, ...statuses: readonly ShareStatus[]): string =>
  new Intl.ListFormat('en-GB').format(
    shares
      .filter(({ status }) => statuses.includes(status))
      .map(({ businessName }) => businessName),
  );

/** What has become of the money of goods that are settled; none while all of it is held. */
function settledSentences(order: TransactionDocument): readonly string[] {
  const paid = sellersOf(order, 'released', 'paid-out');
  return [
    ...refundText(order),
    ...(paid === '' ? [] : [`The money for the goods of ${paid} went to them.`]),
  ];
}

/** In hundredths of their currency. */
export const sumOf = (refunds: readonly TransactionRefund[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** How much of the payment goes back to the buyer: one sentence, or none. */
function refundText({ refunds }: Pick<TransactionDocument, 'refunds'>): readonly string[] {
  const goods = refunds.filter((refund) => refund.of === 'goods');
  return goods.length === 0
    ? []
    : [
        `${formatNaira(sumOf(goods))} of your payment goes back the way it came, which takes your bank some days.`,
      ];
}

/** A paid order of which the buyer has nothing to confirm any more. */
function settledText(order: TransactionDocument): string {
  const { status, received, deliveredAt } = order;
  if (status === 'reversed')
    return 'Your bank has taken this payment back, so nothing is held for this order any more.';
  return [
    deliveredAt === null ? 'The order is settled.' : 'You have confirmed the delivery.',
    ...(received === 'DISPUTED' ? ['We still hold the money for what you complained about.'] : []),
    ...refundText(order),
  ].join(' ');
}

/**
 * Called only when a letter needs it: a formatter made at import would load Intl for code that only
 * counts letters.
 */
const longDate = (at: string) =>
  new Date(at).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Africa/Lagos' });

/** The goods were sold out, or went with their seller, before the payment arrived. `amount`: the refund, in kobo. */
function soldOut(
  { order, buyerName }: Pick<UnsealedOrder, 'order' | 'buyerName'>,
  amount: number,
): Content {
  return render(`No longer for sale: your ${formatNaira(amount)} go back to you`, [
    paragraph(greeting(buyerName)),
    paragraph(
      'Your payment has arrived, but some of these goods were sold out or taken off the market before it came. ' +
        'Nothing was ordered, and the whole amount goes back the way it came, which takes your bank some days.',
    ),
    table(order.lines.map(({ name, quantity }) => [name, `× ${quantity}`])),
    table([['Goes back to you', formatNaira(amount)]]),
    paragraph(`Payment reference: ${order.reference}`),
    paragraph('Oja'),
  ]);
}

/**
 * Sent some days after the payment while the buyer has neither confirmed nor complained. Where a complaint about some
 * of the goods is settled, of the others alone: of those nothing was heard, but of the order something was.
 */
function reminder({ order, buyerName, confirmationAddress }: UnsealedOrder): Content {
  const paid = `On ${longDate(order.paidAt ?? order.placedAt)} you paid ${formatNaira(order.amount)} for`;
  const notYet =
    order.notYetAt === null
      ? []
      : [`You told us on ${longDate(order.notYetAt)} that they had not come.`];
  const silent = notYet.length === 0 ? ', and we have not heard from you since' : '';
  const settled = settledSentences(order);
  const stands =
    settled.length === 0
      ? [
          `${paid} the goods below${silent}.`,
          ...notYet,
          'The sellers are paid only once you confirm the delivery.',
        ]
      : [
          `${paid} your order.`,
          ...settled,
          'We hold the rest of your money until you tell us that the goods below have come.',
          ...notYet,
        ];
  const held = new Set(
    order.shares.filter(({ status }) => status === 'held').map(({ sellerId }) => sellerId),
  );
  const goods = order.lines.filter(({ sellerId }) => held.has(sellerId));
  return render('Has your Oja order arrived?', [
    paragraph(greeting(buyerName)),
    paragraph(stands.join(' ')),
    table(goods.map(({ name, quantity }) => [name, `× ${quantity}`])),
    paragraph('If everything has come, please say so here. If not, tell us there what is wrong.'),
    link('Confirm the delivery or report a problem', confirmationAddress),
    paragraph('Oja'),
  ]);
}

function rows(order: TransactionDocument): readonly (readonly [string, string])[] {
  return [
    ...order.lines.map(
      ({ name, quantity, price, businessName }) =>
        [`${quantity} × ${name} (${businessName})`, formatNaira(price * quantity)] as const,
    ),
    ['Delivery', order.deliveryFee === 0 ? 'free' : formatNaira(order.deliveryFee)],
    ['Paid', formatNaira(order.amount)],
  ];
}
