import type { Command } from 'commander';
import { lazyAction } from '../terminal/interrupt.js';
import { examples } from '../terminal/usage.js';

/** How an order is named wherever a command takes one. */
const ORDER = 'its number, its id or a reference of its payment';

export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description("make a person's data unreadable for ever, and prove it")
    .option('--transaction <order>', `erase the buyer of this order: ${ORDER}`)
    .option('--seller <name>', 'erase this seller (business name or id) and their products')
    .option('--contact <id>', 'erase the writer of this message to support')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A buyer with a paid order that is not closed cannot be erased yet, nor can a
seller with such an order or an unpaid share: the message says what to do first
(exit code 1, nothing was changed). Exit code 1 can also mean that the proof
failed. Exit code 2 means that there is no such person.

For a seller, the name of the business stays in the log and in orders, and so do
the texts and pictures of its goods, because buyers' receipts and the books must
say who sold what. Shoppers find them nowhere else, but whoever knows the address
of a picture can open it.

Examples:
  oja erase --transaction 5b1c6f0e-… --yes
  oja erase --seller 'Adunni Textiles'
  oja erase --contact 77aa…
`,
    )
    .action(lazyAction(async () => (await import('../commands/erase/index.js')).erase));
}

export function removeDeliveredCommand(program: Command): void {
  program
    .command('remove-delivered')
    .description('erase the buyers of delivered orders; sales and earnings stay')
    .option('--before <date>', 'only orders delivered before this day (midnight in Lagos) or time')
    .option('--dry-run', 'list the orders, and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'remove-delivered --before 2026-01-31 --dry-run',
        'remove-delivered --before 2026-01-31 --yes',
      ),
    )
    .action(
      lazyAction(async () => (await import('../commands/remove-delivered.js')).removeDelivered),
    );
}

export function disputeCommand(program: Command): void {
  const dispute = program
    .command('dispute')
    .description('list and settle complaints, and deliveries that are never confirmed')
    .addHelpText(
      'after',
      examples(
        'dispute list',
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --refund --note 'never sent'",
      ),
    );
  dispute
    .command('list')
    .description('list open disputes, and orders that nobody has confirmed for 14 days')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('dispute list', 'dispute list --json'))
    .action(lazyAction(async () => (await import('../commands/money/dispute.js')).list));
  dispute
    .command('settle')
    .description("settle one seller's part of an order that is disputed or not confirmed")
    .argument('<order>', ORDER)
    .requiredOption('--seller <name>', 'business name or id')
    .option('--release', 'give the money to the seller')
    .option('--refund', 'give the money back to the buyer')
    .option(
      '--note <text>',
      "the reason, sealed with the buyer's data; required if nobody complained",
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --release --yes",
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --refund --note 'never sent'",
      ),
    )
    .action(lazyAction(async () => (await import('../commands/money/dispute.js')).settle));
}

const END = "payouts end 5b1c6f0e-… --seller 'Adunni Textiles' --reason 'wrong account'";
const MARK = "payouts mark-paid 5b1c6f0e-… --seller 'Adunni Textiles'";

export function payoutsCommand(program: Command): void {
  const payouts = program
    .command('payouts')
    .description('show what sellers are owed, and record payouts made by hand')
    .addHelpText('after', examples('payouts list', MARK, END));
  payouts
    .command('list')
    .description('list released shares that are not paid out, oldest first')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('payouts list', 'payouts list --json'))
    .action(lazyAction(async () => (await import('../commands/money/payouts.js')).list));
  payouts
    .command('mark-paid')
    .description('record that a share was paid by other means')
    .argument('<order>', ORDER)
    .requiredOption('--seller <name>', 'business name or id')
    .option(
      '--reason <text>',
      'the reason; required if a transfer is under way, which is then given up',
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(MARK, `${MARK} --reason 'paid in cash' --yes`))
    .action(lazyAction(async () => (await import('../commands/money/payouts.js')).mark));
  payouts
    .command('end')
    .description('end a payout that is stuck, so that the share is paid again')
    .argument('<order>', ORDER)
    .requiredOption('--seller <name>', 'business name or id')
    .requiredOption('--reason <text>', 'the reason; recorded in the log')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(END, `${END} --yes`))
    .action(lazyAction(async () => (await import('../commands/money/payouts.js')).end));
}
