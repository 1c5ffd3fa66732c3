import type { Command } from 'commander';
import { readThen } from '../terminal/interrupt.js';
import { examples } from '../terminal/usage.js';

export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description('make what a person left with the market unreadable for ever, and prove it')
    .option('--transaction <id>', 'the buyer of an order')
    .option('--seller <name>', 'a seller, by business name or id, with their goods')
    .option('--contact <id>', 'the writer of a message to the support')
    .option('--yes', 'without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
A buyer whose paid order is not closed, and a seller with such an order or an unpaid share, cannot be
erased yet: the refusal says what to do first (exit 1, nothing changed). Exit 1 too where the proof
fails; exit 2 for somebody who is not there.

Of a seller the name of the business stays in the log and in orders, since buyers' receipts and the
books have to say who sold; shoppers find it nowhere else.

Examples:
  oja erase --transaction 5b1c6f0e-… --yes
  oja erase --seller 'Adunni Textiles'
  oja erase --contact 77aa…
`,
    )
    .action(readThen(async () => (await import('../commands/erase/index.js')).erase));
}

export function removeDeliveredCommand(program: Command): void {
  program
    .command('remove-delivered')
    .description('forget the buyers of delivered orders; what was sold and earned stays')
    .option(
      '--before <date>',
      'only what was delivered before this day (midnight in Lagos) or time',
    )
    .option('--dry-run', 'say which, change nothing')
    .option('--yes', 'without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples(
        'remove-delivered --before 2026-01-31 --dry-run',
        'remove-delivered --before 2026-01-31 --yes',
      ),
    )
    .action(
      readThen(async () => (await import('../commands/remove-delivered.js')).removeDelivered),
    );
}

export function disputeCommand(program: Command): void {
  const dispute = program
    .command('dispute')
    .description('what buyers complained about or never confirmed, and how it ends')
    .addHelpText(
      'after',
      examples(
        'dispute list',
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --refund --note 'never sent'",
      ),
    );
  dispute
    .command('list')
    .description('open disputes, and what nobody has confirmed for 14 days')
    .option('--json', 'for programs')
    .addHelpText('after', examples('dispute list', 'dispute list --json'))
    .action(readThen(async () => (await import('../commands/money/dispute.js')).list));
  dispute
    .command('settle')
    .description("end the dispute about one seller's goods, or what nobody confirms")
    .argument('<transactionId>')
    .requiredOption('--seller <name>', 'business name or id')
    .option('--release', 'the seller gets the money')
    .option('--refund', 'the buyer gets it back')
    .option(
      '--note <text>',
      'why; sealed with what is known of the buyer. Needed where nobody complained',
    )
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples(
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --release --yes",
        "dispute settle 5b1c6f0e-… --seller 'Adunni Textiles' --refund --note 'never sent'",
      ),
    )
    .action(readThen(async () => (await import('../commands/money/dispute.js')).settle));
}

const END = "payouts end 5b1c6f0e-… --seller 'Adunni Textiles' --reason 'wrong account'";
const MARK = "payouts mark-paid 5b1c6f0e-… --seller 'Adunni Textiles'";

export function payoutsCommand(program: Command): void {
  const payouts = program
    .command('payouts')
    .description('what sellers are owed, where the provider does not pay it')
    .addHelpText('after', examples('payouts list', MARK, END));
  payouts
    .command('list')
    .description('released shares that are not paid out, the oldest first')
    .option('--json', 'for programs')
    .addHelpText('after', examples('payouts list', 'payouts list --json'))
    .action(readThen(async () => (await import('../commands/money/payouts.js')).list));
  payouts
    .command('mark-paid')
    .description('record that a share was paid by other means')
    .argument('<transactionId>')
    .requiredOption('--seller <name>', 'business name or id')
    .option('--reason <text>', 'why; needed where a transfer is under way, which is given up then')
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText('after', examples(MARK, `${MARK} --reason 'paid in cash' --yes`))
    .action(readThen(async () => (await import('../commands/money/payouts.js')).mark));
  payouts
    .command('end')
    .description('end a payout that is stuck, so that the share is paid anew')
    .argument('<transactionId>')
    .requiredOption('--seller <name>', 'business name or id')
    .requiredOption('--reason <text>', 'why; stands in the log')
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText('after', examples(END, `${END} --yes`))
    .action(readThen(async () => (await import('../commands/money/payouts.js')).end));
}
