import { z } from 'zod';
import { bytes, count, instant, kobo, position } from './parts.js';

/** Evidence of an erasure: what was done and what was searched for. */
const proof = z.strictObject({
  subject: z.string(),
  keyDestroyed: z.boolean(),
  sealed: count.describe('Sealed values in the log.'),
  readable: count.describe('How many of them can still be opened.'),
  searchedFor: z
    .array(z.string())
    .describe('Fields whose values were searched for in every file of the data folder.'),
  tooShort: z.array(z.string()).describe('Those too short to be told from other things.'),
  filesSearched: count,
  bytesSearched: bytes,
  found: z
    .array(z.strictObject({ file: z.string(), field: z.string() }))
    .describe('Where a value was found, and which: never the value itself.'),
  othersLetters: z.array(z.string()).describe('Letters of other orders of the same person.'),
  blockedWals: z.array(z.string()).describe('Write-ahead logs that could not be emptied.'),
});

const erased = z.strictObject({
  ok: z.boolean().describe('It is proven.'),
  ...proof.shape,
  goodsRemoved: count.optional().describe('Of a seller.'),
  sessionsEnded: count.optional().describe('Of a seller.'),
  stays: z
    .array(z.string())
    .describe('What stays readable on purpose: the name of a business, in orders.'),
});

const removed = z.union([
  z.strictObject({
    dryRun: z.literal(true).describe('Asked for, or there was nothing to remove.'),
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
  share: kobo.describe('Kobo: what the seller would get.'),
  paid: kobo.describe('Kobo: what the buyer paid for these goods.'),
  complaint: z
    .string()
    .nullable()
    .describe("In the buyer's words; null once they were forgotten, and where nobody complained."),
  unconfirmed: z.boolean().describe('Nobody has confirmed or complained for long.'),
});

const settled = z.strictObject({
  ...share,
  outcome: z.enum(['release', 'refund']),
  by: z.string(),
  amount: kobo.nullable().describe('Kobo that this has moved; null where it was settled before.'),
  position: position.nullable(),
});

const payable = z.strictObject({
  ...share,
  businessName: z.string(),
  amount: kobo,
  since: instant,
  payoutId: z.string().nullable().describe('Once a payout was asked for.'),
  method: z.enum(['transfer', 'manual']),
  says: z.string().nullable().describe("How the transfer stands, in the provider's word."),
  needsSomebody: z.boolean().describe('It waits for somebody at the provider.'),
  account: z
    .strictObject({ name: z.string(), accountNumber: z.string(), bankCode: z.string() })
    .nullable()
    .describe('Null where the seller has not said where to pay.'),
  sentTo: z
    .strictObject({ bankName: z.string(), accountEnd: z.string() })
    .nullable()
    .describe('Where a transfer that was asked for goes; null where that was not kept.'),
});

const paid = z.strictObject({
  ...share,
  amount: kobo.nullable(),
  changed: z.boolean().describe('False: it was so already, or the provider had ended it.'),
});

export const ofPeople = {
  'remove-delivered': { schema: removed },
  erase: { schema: erased },
  'dispute list': { schema: z.array(dispute) },
  'dispute settle': { schema: settled },
  'payouts list': { schema: z.array(payable).describe('The oldest first.') },
  'payouts mark-paid': { schema: paid },
  'payouts end': { schema: paid },
} as const;
