import { join } from 'node:path';
import {
  contact,
  HOUR_MS,
  isLongUnconfirmed,
  isOrderOpen,
  mayBeRestored,
  PROBLEM_AFTER_MS,
  streamCategory,
  streamSubject,
} from '@oja/domain';
import { nowOf } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { type AppContext, withContext } from '../../runtime/context.js';
import { confirmChange } from '../../runtime/operator.js';
import type { ConfirmOptions } from '../../terminal/confirm.js';
import { configExit, exitCodes, failedExit, usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { formatMegabytes, type Output, paint, plural, printAnswer } from '../../terminal/output.js';
import { nearestHint } from '../../terminal/usage.js';
import { orderNamed, orderWithId, type PlacedOrder } from '../shared/orders.js';
import { sellerNamed } from '../shared/sellers.js';
import { eraseSubject, isProven, type Proof, subjectOf } from './erase.js';
import { unreadable } from './search.js';
import { eraseSeller } from './seller.js';

interface Options extends Output, ConfirmOptions {
  readonly transaction?: string;
  readonly seller?: string;
  readonly contact?: string;
}

/** What the erasure of a seller leaves on purpose. */
const STAYS: Answer<'erase'>['stays'] = ['businessName', 'goods', 'pictures'];
const WHAT_STAYS =
  'The name of the business stays in the log and in orders, and so do the texts and pictures of its goods: receipts and the books have to say who sold what. Shoppers find them nowhere else, but whoever knows the address of a picture can open it.';

const question = (whom: string) => `What ${whom} left with the market will be unreadable for ever.`;

function linesOf(proof: Proof): readonly string[] {
  const { sealed, readable, searchedFor, tooShort, openly, found, unsearched, othersLetters } =
    proof;
  const { blockedWals, backupsUnderWay } = proof;
  return [
    `${proof.subject} is ${isProven(proof) ? paint.good('erased') : paint.bad('not erased for certain')}.`,
    `  key: ${proof.keyDestroyed ? 'destroyed' : paint.bad('still there')}; ${readable} of ${plural(sealed, 'sealed value')} can be opened`,
    '  e-mails: deleted',
    blockedWals.length === 0
      ? '  write-ahead logs: emptied'
      : paint.bad(
          `  write-ahead logs: ${blockedWals.join(', ')} could not be emptied; run it again`,
        ),
    ...backupsUnderWay.map((folder) =>
      paint.bad(
        `  a backup or restore is under way: ${folder} may hold the key; run it again when that has ended`,
      ),
    ),
    `  copies: ${plural(proof.filesSearched, 'file')}, ${formatMegabytes(proof.bytesSearched)} searched for ${searchedFor.length + openly.length === 0 ? 'nothing (erased before, the values are not known any more)' : searchedFor.join(', ')}; ${found.length === 0 ? 'nothing found' : paint.bad('found')}`,
    ...found.map(({ file, field }) => paint.bad(`    ${field} in ${file}`)),
    ...unsearched.map((file) => paint.bad(`    could not be read: ${file}`)),
    ...(tooShort.length === 0 ? [] : [`  too short to search for: ${tooShort.join(', ')}`]),
    ...(openly.length === 0
      ? []
      : [
          `  also a part of what the log says in the open, so not searched for: ${openly.join(', ')}`,
        ]),
    ...othersLetters.map(
      (file) => `  the same person is in an e-mail about another order: ${file}`,
    ),
    '  A backup of the keys from before still holds the key until it is deleted: oja backup list <where the keys are> says which do. A restore destroys the key again.',
  ];
}

function sayProof(
  options: Options,
  proof: Proof,
  more: Pick<Answer<'erase'>, 'goodsRemoved' | 'sessionsEnded' | 'stays'> = { stays: [] },
  lines: readonly string[] = [],
): void {
  const ok = isProven(proof);
  const staying = more.stays.length === 0 ? [] : [`  ${WHAT_STAYS}`];
  printAnswer<'erase'>(options, { ok, ...more, ...proof }, () => [
    ...lines,
    ...linesOf(proof),
    ...staying,
  ]);
  if (!ok) process.exitCode = exitCodes.failed;
}

/** What must happen before the buyer of an open order is erased: nobody else could confirm the delivery. */
function nextStepBefore(id: string, order: PlacedOrder, now: string): string {
  if (mayBeRestored(order))
    return 'the bank has taken its payment back and may still return it, so wait until that dispute is closed';
  const held = order.shares.filter(({ status }) => status === 'held');
  const disputed = order.shares.filter(({ status }) => status === 'disputed');
  // By id: a name may have been changed since, and may hold what a shell takes for more than a name.
  const settle = ({ sellerId }: { readonly sellerId: string }) =>
    `oja dispute settle ${id} --seller ${sellerId} --refund (or --release)`;
  const unconfirmed = isLongUnconfirmed(order, now) ? held : [];
  const open = [...disputed.map(settle), ...unconfirmed.map((of) => `${settle(of)} --note '…'`)];
  if (open.length > 0) {
    const what =
      unconfirmed.length === 0 ? 'in dispute' : 'in dispute, or confirmed by nobody for long,';
    return `settle what is ${what} first: ${open.join('; ')}`;
  }
  return `it is paid and its buyer has not confirmed the delivery. The buyer does that on the page the receipt links to, or reports a problem there from ${PROBLEM_AFTER_MS / HOUR_MS} h after the payment, which you end with ${held.map(settle).join('; ')}`;
}

/** @throws Exit 1 while the order is open. */
async function refuseOpenOrder(context: AppContext, id: string): Promise<void> {
  const order = await orderWithId(context, id);
  if (isOrderOpen(order) || mayBeRestored(order))
    throw failedExit(
      `The buyer of ${id} cannot be erased yet: ${nextStepBefore(id, order, nowOf(context))}. Then run this again.`,
    );
}

async function eraseBuyer(context: AppContext, order: string, options: Options): Promise<void> {
  const { transactionId: id } = await orderNamed(context, order);
  await refuseOpenOrder(context, id);
  await confirmChange(context, question(`the buyer of ${id}`), options);
  // The question may have waited long, and the buyer may have paid meanwhile.
  await refuseOpenOrder(context, id);
  sayProof(options, await eraseSubject(context, subjectOf('transaction', id)));
}

async function eraseSellerByName(
  context: AppContext,
  name: string,
  options: Options,
): Promise<void> {
  const found = await sellerNamed(context, name);
  await confirmChange(
    context,
    `${question(`the seller ${found.businessName}`)} ${WHAT_STAYS}`,
    options,
  );
  const erased = await eraseSeller(context, found.sellerId, interruptSignal());
  const { goodsRemoved, sessionsEnded, proof } = erased;
  sayProof(options, proof, { goodsRemoved, sessionsEnded, stays: STAYS }, [
    `${plural(goodsRemoved, 'product')} removed, ${isProven(proof) ? 'the name released, ' : ''}${plural(sessionsEnded, 'session')} ended.`,
  ]);
}

async function eraseMessage(context: AppContext, id: string, options: Options): Promise<void> {
  const { state } = await context.commands.load(contact, id);
  if (state.status === 'none') {
    const ids: string[] = [];
    for await (const { stream } of context.engines.eventStore.readAll({ after: null }))
      if (streamCategory(stream) === contact.category) ids.push(streamSubject(stream));
    throw usageExit(`There is no message '${id}'${nearestHint(id, ids)}.`);
  }
  await confirmChange(context, question(`the writer of ${id}`), options);
  sayProof(options, await eraseSubject(context, subjectOf('contact', id)));
}

/**
 * Before anything is destroyed: later nobody knows what to search for.
 * @throws Exit 78 when something in the data folder may not be read.
 */
function refuseUnreadable({ config: { dataDir } }: AppContext): void {
  const closed = unreadable(dataDir);
  if (closed.length > 0)
    throw configExit(
      `Nobody can be searched for in ${closed.map((name) => join(dataDir, name)).join(', ')}, which you may not read: run Oja as the user whom it belongs to, or give everything in ${dataDir} to one user (chown -R); nothing was changed.`,
    );
}

export async function erase(options: Options): Promise<void> {
  const { transaction, seller, contact: message } = options;
  const given = [transaction, seller, message].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw usageExit('Say whom to erase: one of --transaction, --seller or --contact.');
  // Ctrl-C does not stop an erasure that has begun: its proof cannot be repeated.
  interruptSignal();
  await withContext(async (context) => {
    refuseUnreadable(context);
    if (transaction !== undefined) await eraseBuyer(context, transaction, options);
    else if (seller !== undefined) await eraseSellerByName(context, seller, options);
    else if (message !== undefined) await eraseMessage(context, message, options);
  });
}
