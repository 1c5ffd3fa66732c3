import {
  endTransfer,
  isDisputedNow,
  listPayable,
  markPaid,
  type PayableShare,
  type PayoutAccount,
} from '@oja/command-service';
import { obligations } from '@oja/contracts/models';
import { bankName, formatNaira, type ShareState, seller } from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import type { Answer } from '../../answers/index.js';
import { commandDeps } from '../../runtime/command-deps.js';
import type { AppContext } from '../../runtime/context.js';
import { withContext } from '../../runtime/context.js';
import { confirmChange } from '../../runtime/operator.js';
import type { ConfirmOptions } from '../../terminal/confirm.js';
import { failedExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { formatTable, type Output, printAnswer } from '../../terminal/output.js';
import { orderNamed, sellerOf } from '../shared/orders.js';
import { waitForModels } from '../shared/wait-for-models.js';

async function nameOf({ commands }: AppContext, sellerId: string): Promise<string> {
  const { state } = await commands.load(seller, sellerId);
  return state.status === 'registered' ? state.businessName : sellerId;
}

/** How the transfer of a share stands, or why none is requested, in the provider's own word; null before the first. */
function describeTransfer({ method, payoutId, says, needsSomebody, sentTo }: PayableShare) {
  if (payoutId === null || method === 'manual') return says;
  const to = sentTo === null ? '' : `, to ${sentTo.bankName} …${sentTo.accountEnd}`;
  const word = `${says ?? 'asked for'}${to}`;
  return needsSomebody ? `${word}: approve it at the provider` : word;
}

/** What speaks of the money of a share: its transfer, and a dispute of the bank. */
const describePayout = (share: PayableShare): string =>
  [describeTransfer(share), share.isDisputed ? 'the bank disputes the payment' : null]
    .filter((word) => word !== null)
    .join('; ') || '-';

/** The account in words; a bank without a known name is shown by its code alone. */
function formatAccount({ name, accountNumber, bankCode }: PayoutAccount): string {
  const bank = bankName(bankCode);
  const code = bank.includes(bankCode) ? '' : ` (${bankCode})`;
  return `${name}, ${accountNumber}, ${bank}${code}`;
}

export async function list(options: Output): Promise<void> {
  await withContext(async (context) => {
    await waitForModels(context, [obligations], interruptSignal());
    const payable: Answer<'payouts list'>[number][] = [];
    for (const share of await listPayable(commandDeps(context)))
      payable.push({ ...share, businessName: await nameOf(context, share.sellerId) });
    printAnswer<'payouts list'>(options, payable, () =>
      payable.length === 0
        ? ['There is nothing to pay out.']
        : formatTable([
            ['transaction', 'seller', 'amount', 'since', 'transfer', 'account'],
            ...payable.map((share) => [
              share.transactionId,
              share.businessName,
              formatNaira(share.amount),
              share.since,
              describePayout(share),
              share.account === null ? '(not given)' : formatAccount(share.account),
            ]),
          ]),
    );
  });
}

interface ShareOptions extends Output, ConfirmOptions {
  readonly seller: string;
}

/** The named order and seller, and the seller's share of it; `share` is undefined when they have none. */
async function namedShare(context: AppContext, order: string, { seller: named }: ShareOptions) {
  const placed = await orderNamed(context, order);
  const { transactionId } = placed;
  const { sellerId, businessName } = await sellerOf(context, placed, named);
  const share = placed.shares.find((each) => each.sellerId === sellerId);
  const sum = formatNaira(share?.share ?? 0);
  const isDisputed = isDisputedNow(placed, context.clock.now());
  return { transactionId, sellerId, businessName, share, sum, isDisputed };
}

const DISPUTED =
  "The cardholder's bank disputes the payment: what is paid out is lost to the market if the bank takes it back.";

const isUnderWay = (share?: ShareState): boolean => share?.status === 'payout-requested';

export async function mark(
  order: string,
  options: ShareOptions & { readonly reason?: string },
): Promise<void> {
  await withContext(async (context) => {
    const named = await namedShare(context, order, options);
    const { transactionId, sellerId, businessName, share, sum } = named;
    const paid = `${sum} of order ${orderNumber(transactionId)}`;
    const risk = named.isDisputed ? ` ${DISPUTED}` : '';
    if (share?.status === 'released' || isUnderWay(share)) {
      const isSent = isUnderWay(share) && share?.payoutMethod === 'transfer';
      const instead = isSent ? ', and its transfer will be given up' : '';
      await confirmChange(
        context,
        `${paid} will be recorded as paid to ${businessName}${instead}.${risk}`,
        options,
      );
    }
    const marked = await markPaid(commandDeps(context), transactionId, sellerId, options.reason);
    if (!marked.ok) throw failedExit(`${marked.refusal.message}.`);
    const changed = marked.position !== null;
    const { isDisputed } = named;
    const answer = { transactionId, sellerId, amount: share?.share ?? null, changed, isDisputed };
    printAnswer<'payouts mark-paid'>(options, answer, () => [
      changed
        ? `${paid} is recorded as paid to ${businessName}.${risk}`
        : `${paid} had been paid to ${businessName} already.`,
    ]);
  });
}

export async function end(
  order: string,
  options: ShareOptions & { readonly reason: string },
): Promise<void> {
  await withContext(async (context) => {
    const named = await namedShare(context, order, options);
    const { transactionId, sellerId, businessName, share, sum } = named;
    const payout = `The payout of ${sum} of order ${orderNumber(transactionId)} to ${businessName}`;
    if (isUnderWay(share)) {
      await confirmChange(
        context,
        `${payout} will be ended, and the share will have to be paid again.`,
        options,
      );
    }
    const deps = commandDeps(context);
    const ended = await endTransfer(deps, transactionId, sellerId, options.reason);
    if (!ended.ok) throw failedExit(`${ended.refusal.message}.`);
    const changed = ended.position !== null;
    const answer = { transactionId, sellerId, amount: share?.share ?? null, changed };
    const isSent = share?.payoutMethod === 'transfer';
    const late = isSent
      ? ', unless its transfer arrives after all. Cancel it at the provider as well'
      : '';
    printAnswer<'payouts end'>(options, answer, () => [
      changed
        ? `${payout} is ended: the share has to be paid again${late}.`
        : `${payout} had already been ended by the provider, and its result is recorded.`,
    ]);
  });
}
