import { z } from 'zod';
import { bytes, count, instant, kobo, position } from './parts.js';

/** Evidence of an erasure: what was done and what was searched for. */
const proof = z.strictObject({
  subject: z.string(),
  keyDestroyed: z.boolean(),
  sealed: count.describe('Number of sealed values in the log.'),
  readable: count.describe('Number of sealed values that can still be opened.'),
  searchedFor: z
    .array(z.string())
    .describe('Fields whose values were searched for in every file of the data folder.'),
  tooShort: z.array(z.string()).describe('Fields whose values are too short to be searched for.'),
  openly: z
    .array(z.string())
    .describe(
      'Fields whose values the log also says in the open, as a part of something else, so that nobody can be searched for by them.',
    ),
  filesSearched: count,
  bytesSearched: bytes,
  found: z
    .array(z.strictObject({ file: z.string(), field: z.string() }))
    .describe('Files in which a value was found, and its field; never the value itself.'),
  unsearched: z
    .array(z.string())
    .describe('Files and folders that could not be read when they were searched.'),
  othersLetters: z
    .array(z.string())
    .describe('Files of e-mails about other orders of the same person.'),
  blockedWals: z.array(z.string()).describe('Write-ahead logs that could not be emptied.'),
  backupsUnderWay: z
    .array(z.string())
    .describe(
      'Folders in the data folder where a backup or restore works, which may hold the key.',
    ),
});

const erased = z.strictObject({
  ok: z.boolean().describe('True if the erasure is proven.'),
  ...proof.shape,
  goodsRemoved: count.optional().describe('Only for a seller: number of products removed.'),
  sessionsEnded: count.optional().describe('Only for a seller: number of sessions ended.'),
  stays: z
    .array(z.string())
    .describe(
      'What stays readable on purpose of a seller: the business name, and the texts and pictures of the goods.',
    ),
});

const removed = z.union([
  z.strictObject({
    dryRun: z.literal(true).describe('Printed with --dry-run.'),
    ids: z.array(z.string()),
  }),
  z.strictObject({
    removed: z.array(z.string()),
    refused: z.array(z.strictObject({ id: z.string(), why: z.string() })),
  }),
]);

const share = { transactionId: z.string(), sellerId: z.string() };

const dispute = z.strictObject({
  ...share,
  businessName: z.string(),
  share: kobo.describe('Kobo that the seller would get.'),
  paid: kobo.describe('Kobo that the buyer paid for these goods.'),
  complaint: z
    .string()
    .nullable()
    .describe("The buyer's words; null if the buyer was erased or has not complained."),
  unconfirmed: z
    .boolean()
    .describe('True if nobody has confirmed or complained for 14 days after the payment.'),
});

const settled = z.strictObject({
  ...share,
  outcome: z.enum(['release', 'refund']),
  by: z.string(),
  amount: kobo
    .nullable()
    .describe('Kobo moved by this settlement; null if the share was settled before.'),
  position: position.nullable(),
});

const payable = z.strictObject({
  ...share,
  businessName: z.string(),
  amount: kobo,
  since: instant,
  payoutId: z.string().nullable().describe('Null until a payout is requested.'),
  method: z.enum(['transfer', 'manual']),
  says: z
    .string()
    .nullable()
    .describe(
      "Status of the transfer, or why none is requested, in the provider's own word; also of one that was ended here, and may still be paid.",
    ),
  needsSomebody: z.boolean().describe('True if the transfer waits for somebody at the provider.'),
  isDisputed: z
    .boolean()
    .describe(
      "True while the cardholder's bank disputes the payment: no transfer is begun, and what is paid by hand may be lost.",
    ),
  account: z
    .strictObject({ name: z.string(), accountNumber: z.string(), bankCode: z.string() })
    .nullable()
    .describe('Null if the seller has not entered a bank account.'),
  sentTo: z
    .strictObject({ bankName: z.string(), accountEnd: z.string() })
    .nullable()
    .describe('Where a requested transfer goes; null if that is not recorded.'),
});

const paid = z.strictObject({
  ...share,
  amount: kobo.nullable(),
  changed: z
    .boolean()
    .describe('False if it already was so, or the provider had already ended the transfer.'),
});

const marked = paid.extend({ isDisputed: payable.shape.isDisputed });

export const peopleAnswers = {
  'remove-delivered': { schema: removed },
  erase: { schema: erased },
  'dispute list': { schema: z.array(dispute) },
  'dispute settle': { schema: settled },
  'payouts list': { schema: z.array(payable).describe('Oldest first.') },
  'payouts mark-paid': { schema: marked },
  'payouts end': { schema: paid },
} as const;
