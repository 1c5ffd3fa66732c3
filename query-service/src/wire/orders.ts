import type {
  Earnings,
  Order,
  OrderLine,
  Sale,
  SaleWithHistory,
  Transaction,
} from '@oja/contracts';
import type {
  EarningsDocument,
  LedgerDocument,
  SaleDocument,
  TransactionDocument,
  TransactionLine,
} from '@oja/contracts/models';
import { streamNames } from '@oja/domain';
import { koboToNaira, orderNumber, PROBLEM_AFTER_MS } from '@oja/domain/rules';
import type { Addresses } from './goods.js';
import { type Personal, type SealedValues, sealedFields } from './people.js';

const buyerFields = ['fullName', 'email', 'homeAddress', 'phoneNumber'] as const;
const complaintOf = (sellerId: string) => `complaint of ${sellerId}` as const;

type Name = (typeof buyerFields)[number] | ReturnType<typeof complaintOf>;
type TransactionPersonal = Personal<Name>;

/** What the buyer wrote about the goods of each seller. */
function complaints(document: TransactionDocument): SealedValues<Name> {
  return {
    stream: streamNames.transaction(document.transactionId),
    values: document.shares.flatMap(({ sellerId, complaint }) =>
      complaint === null
        ? []
        : [{ name: complaintOf(sellerId), field: 'complaint', value: complaint }],
    ),
  };
}

/** The sealed values that the holder of an order's key is shown. */
export function holderValues(document: TransactionDocument): SealedValues<Name> {
  const { stream, values } = complaints(document);
  return { stream, values: [...sealedFields(document.buyer, ['email']), ...values] };
}

/** Masks an address: its owner recognises it, but someone who borrows the phone does not learn it. */
function maskedEmail(email: string | null): string | null {
  const [first] = email ?? '';
  return email && first ? `${first}•••${email.slice(email.lastIndexOf('@'))}` : null;
}

/** The sealed values of a buyer that admins see. */
export function buyerValues(document: TransactionDocument): SealedValues<Name> {
  const { stream, values } = complaints(document);
  return { stream, values: [...sealedFields(document.buyer, buyerFields), ...values] };
}

function orderLine(line: TransactionLine, images: Addresses): OrderLine {
  return {
    product_id: line.productId,
    user_id: line.sellerId,
    businessName: line.businessName,
    prod_name: line.name,
    image_url: images.address(line.image),
    quantity: line.quantity,
    price: koboToNaira(line.price),
  };
}

/** `amount`: which figure of a share is shown; both are in kobo in the document. */
function sharesOf(
  { shares }: TransactionDocument,
  personal: TransactionPersonal,
  amount: 'share' | 'paid',
): Transaction['shares'] {
  return shares.map((share) => ({
    user_id: share.sellerId,
    businessName: share.businessName,
    share: koboToNaira(share[amount]),
    status: share.status,
    ...(share.complaint === null ? {} : { complaint: personal(complaintOf(share.sellerId)) }),
  }));
}

export function transaction(
  document: TransactionDocument,
  personal: TransactionPersonal,
  images: Addresses,
): Transaction {
  const listed = (value: (line: TransactionLine) => string | number) =>
    document.lines.map(value).join(',');
  return {
    transaction_id: document.transactionId,
    buyer_id: document.buyerId,
    status: document.status,
    reference: document.reference,
    amount: koboToNaira(document.amount),
    delivery_fee: koboToNaira(document.deliveryFee),
    paid_at: document.paidAt,
    created_at: document.placedAt,
    currency: document.currency,
    channel: document.channel,
    buyer_name: personal('fullName'),
    email: personal('email'),
    home_address: personal('homeAddress'),
    phone_number: personal('phoneNumber'),
    recieved: document.received,
    product_ids: listed((line) => line.productId),
    quantities: listed((line) => line.quantity),
    prices: listed((line) => koboToNaira(line.price)),
    user_ids: listed((line) => line.sellerId),
    lines: document.lines.map((line) => orderLine(line, images)),
    shares: sharesOf(document, personal, 'share'),
  };
}

/** Whether a payment for the order was held aside and goes back, also besides the one that paid it. */
const isReturned = ({ refunds }: TransactionDocument): boolean =>
  refunds.some((refund) => refund.of === 'held-aside');

/**
 * An order as its buyer sees it: of each seller's part what was paid, not what the seller gets.
 * `now`: epoch milliseconds.
 */
export function order(
  document: TransactionDocument,
  orderKey: string,
  personal: TransactionPersonal,
  images: Addresses,
  now: number,
): Order {
  const { paidAt, deliveredAt } = document;
  const reportFrom = paidAt === null ? null : Date.parse(paidAt) + PROBLEM_AFTER_MS;
  return {
    transactionId: orderKey,
    status: document.status,
    recieved: document.received,
    amount: koboToNaira(document.amount),
    delivery_fee: koboToNaira(document.deliveryFee),
    created_at: document.placedAt,
    paid_at: paidAt,
    ...(isReturned(document) && { payment_returned: true }),
    ...(deliveredAt !== null && { delivered_at: deliveredAt }),
    email_hint: maskedEmail(personal('email')),
    lines: document.lines.map((line) => orderLine(line, images)),
    shares: sharesOf(document, personal, 'paid'),
    may_report_problem:
      reportFrom !== null &&
      now >= reportFrom &&
      document.shares.some(({ status }) => status === 'held'),
    report_from: reportFrom === null ? null : new Date(reportFrom).toISOString(),
  };
}

/** Whether the cardholder's bank has disputed the payment more often than it has closed a dispute since. */
const isBankDisputed = ({ steps }: SaleDocument): boolean =>
  steps.reduce((open, { type }) => {
    if (type === 'PaymentDisputed') return open + 1;
    return type === 'PaymentDisputeClosed' ? Math.max(0, open - 1) : open;
  }, 0) > 0;

export function sale(document: SaleDocument, images: Addresses): Sale {
  return {
    transaction_id: document.transactionId,
    number: orderNumber(document.transactionId),
    paid_at: document.paidAt,
    status: document.status,
    ...(isBankDisputed(document) && { bank_disputed: true }),
    share: koboToNaira(document.share),
    items: document.lines.map(({ productId, name, image, quantity }) => ({
      product_id: productId,
      prod_name: name,
      image_url: images.address(image),
      quantity,
    })),
  };
}

export function saleWithHistory(document: SaleDocument, images: Addresses): SaleWithHistory {
  return { ...sale(document, images), history: [...document.steps] };
}

const NOTHING = { held: 0, payable: 0, paidOut: 0 };

/** A seller's earnings, in naira. `document`: null for a seller who has never sold anything. */
export function earnings(document: EarningsDocument | null): Earnings {
  const { held, payable, paidOut } = document ?? NOTHING;
  return {
    held: koboToNaira(held),
    payable: koboToNaira(payable),
    paid_out: koboToNaira(paidOut),
  };
}

const accounts = [
  ['held', 'Held'],
  ['payable', 'Payable'],
  ['paidOut', 'Paid out'],
  ['house', 'House'],
  ['refundsDue', 'Refunds due'],
  ['heldAside', 'Held aside'],
] as const;

/**
 * What buyers paid and did not get back, and whose money it is. Provider fees and losses are added,
 * since neither reduces what is owed to anybody: so both sides have the same sum.
 */
export function money(document: LedgerDocument | null) {
  const gross = document === null ? 0 : document.cash + document.providerFees + document.losses;
  return {
    cash: koboToNaira(gross),
    accounts: accounts.map(([account, name]) => ({
      name,
      amount: koboToNaira(document?.[account] ?? 0),
    })),
    balanced: document?.balanced ?? true,
  };
}
