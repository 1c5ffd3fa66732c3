import {
  endTransfer,
  listPayable,
  markPaid,
  type PayableShare,
  type PayoutAccount,
} from '@oja/command-service';
import { obligations } from '@oja/contracts/models';
import { bankName, formatNaira, seller } from '@oja/domain';
import { commandDeps } from '../../runtime/command-deps.js';
import type { AppContext } from '../../runtime/context.js';
import { withContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, show, table } from '../../terminal/output.js';
import { followed } from '../shared/followed.js';
import { orderWithId } from '../shared/orders.js';
import { sellerNamed } from '../shared/sellers.js';

async function nameOf({ handle }: AppContext, sellerId: string): Promise<string> {
  const { state } = await handle.load(seller, sellerId);
  return state.status === 'registered' ? state.businessName : sellerId;
}

/** Where the transfer of a share stands, in the provider's word. */
function transferOf({ method, payoutId, says, needsSomebody, sentTo }: PayableShare): string {
  if (payoutId === null || method === 'manual') return '-';
  const to = sentTo === null ? '' : `, to ${sentTo.bankName} …${sentTo.accountEnd}`;
  const word = `${says ?? 'asked for'}${to}`;
  return needsSomebody ? `${word}: approve it at the provider` : word;
}

/** A bank that is not known by its name stands there by its code alone. */
function accountOf({ name, accountNumber, bankCode }: PayoutAccount): string {
  const bank = bankName(bankCode);
  const code = bank.includes(bankCode) ? '' : ` (${bankCode})`;
  return `${name}, ${accountNumber}, ${bank}${code}`;
}

export async function list(options: Output): Promise<void> {
  await withContext(async (context) => {
    await followed(context, [obligations], interruptSignal());
    const payable: (PayableShare & { readonly businessName: string })[] = [];
    for (const share of await listPayable(commandDeps(context)))
      payable.push({ ...share, businessName: await nameOf(context, share.sellerId) });
    show(options, payable, () =>
      payable.length === 0
        ? ['Nothing is to be paid out.']
        : table([
            ['transaction', 'seller', 'amount', 'since', 'transfer', 'account'],
            ...payable.map((share) => [
              share.transactionId,
              share.businessName,
              formatNaira(share.amount),
              share.since,
              transferOf(share),
              share.account === null ? '(not given)' : accountOf(share.account),
            ]),
          ]),
    );
  });
}

export async function mark(
  transactionId: string,
  options: Output & { readonly seller: string; readonly reason?: string },
): Promise<void> {
  await withContext(async (context) => {
    await orderWithId(context, transactionId);
    const { sellerId, businessName } = await sellerNamed(context, options.seller);
    const marked = await markPaid(commandDeps(context), transactionId, sellerId, options.reason);
    if (!marked.ok) throw new Exit(exitCodes.failed, `${marked.refusal.message}.`);
    show(options, { transactionId, sellerId, changed: marked.position !== null }, () => [
      marked.position === null
        ? `${businessName} had been paid for it already.`
        : `${businessName} is paid for it.`,
    ]);
  });
}

export async function end(
  transactionId: string,
  options: Output & { readonly seller: string; readonly reason: string },
): Promise<void> {
  await withContext(async (context) => {
    await orderWithId(context, transactionId);
    const { sellerId, businessName } = await sellerNamed(context, options.seller);
    const deps = commandDeps(context);
    const ended = await endTransfer(deps, transactionId, sellerId, options.reason);
    if (!ended.ok) throw new Exit(exitCodes.failed, `${ended.refusal.message}.`);
    show(options, { transactionId, sellerId, changed: ended.position !== null }, () => [
      ended.position === null
        ? `The provider had ended it already: what it says of ${businessName}'s payout is recorded.`
        : `The payout is ended: ${businessName} is to be paid anew.`,
    ]);
  });
}
