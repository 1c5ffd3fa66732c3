import type { Command } from 'commander';
import { serviceNames } from '../runtime/program.js';
import { usageExit } from '../terminal/exit.js';
import { lazyAction } from '../terminal/interrupt.js';
import type { Output } from '../terminal/output.js';
import { examples, requireKnown, wholeNumber } from '../terminal/usage.js';

const start = lazyAction(async () => (await import('../commands/start.js')).start);

const startPlan = lazyAction(async () => (await import('../commands/start-plan.js')).startPlan);

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('open the whole market, or only the named services')
    .argument('[service...]', serviceNames.join(', '))
    .addHelpText(
      'after',
      examples(
        'start                    everything in one process, as npm start does',
        'start query-service      one service; it listens on PORT',
        'start --plan             before an upgrade: exit code 0 if it would open',
      ),
    )
    .option('--plan', 'show what a start would change, and change nothing')
    .option('--json', 'print JSON; only with --plan')
    .action((names: string[], options: Output & { readonly plan?: boolean }) => {
      const services = names.map((name) => requireKnown('service', name, serviceNames));
      if (options.plan) return startPlan(services, options);
      if (options.json)
        throw usageExit('--json belongs to --plan: a market that opens prints no answer.');
      return start(services);
    });
}

export function configCommand(program: Command): void {
  program
    .command('config')
    .description('show the settings in use, without secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  DATA_DIR=/srv/oja oja config\n')
    .action(lazyAction(async () => (await import('../commands/config.js')).config));
}

/** More would fill most disks. */
const MOST_SAMPLES = 10_000_000;
/** All sellers are held in memory, and each takes milliseconds of password hashing. */
const MOST_SELLERS = 100_000;
const upTo = (least: number, most: number) =>
  wholeNumber(least, `a whole number from ${least} to ${most}`, most);

export function seedCommand(program: Command): void {
  program
    .command('seed')
    .description('add sample sellers, products and orders, as a demo does at its first start')
    .option('--products <n>', `number of products, at most ${MOST_SAMPLES}`, upTo(0, MOST_SAMPLES))
    .option('--sellers <n>', `number of sellers, at most ${MOST_SELLERS}`, upTo(1, MOST_SELLERS))
    .option('--orders <n>', `number of orders, at most ${MOST_SAMPLES}`, upTo(0, MOST_SAMPLES))
    .option('--seed <n>', 'the same seed gives the same sample data', wholeNumber(0))
    .option('--json', 'print JSON')
    .addHelpText('after', examples('seed --products 10000 --sellers 200 --orders 500 --seed 7'))
    .action(lazyAction(async () => (await import('../commands/seed.js')).seed));
}

export function schemaCommand(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of what a command prints with --json')
    .argument('[command...]', 'full name of the command (default: list all commands)')
    .option('--error', 'print the schema of what a failing command writes to standard error')
    .option('--json', 'print the schema on one line')
    .addHelpText('after', examples('schema', 'schema payouts list', 'schema --error'))
    .action(lazyAction(async () => (await import('../commands/schema.js')).schema));
}

export function adminCommand(program: Command): void {
  const admin = program
    .command('admin')
    .description('appoint or dismiss head admins')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"));
  admin
    .command('grant')
    .description('make a seller a head admin')
    .argument('<seller>', 'business name or id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"))
    .action(lazyAction(async () => (await import('../commands/seller.js')).grant));
  admin
    .command('revoke')
    .description('turn a head admin back into an ordinary seller')
    .argument('<seller>', 'business name or id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples("admin revoke 'Adunni Textiles'"))
    .action(lazyAction(async () => (await import('../commands/seller.js')).revoke));
}

export function sellerCommand(program: Command): void {
  program
    .command('seller')
    .description('help a seller who cannot log in')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .command('reset-password')
    .description('set a new password, show it once, and end all sessions of the seller')
    .argument('<seller>', 'business name or id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .action(lazyAction(async () => (await import('../commands/seller.js')).reset));
}

const STEPS = `
Outside a demo, you choose the secrets. The market may be running:
  1. restart every service with KEYS_MASTER_KEY_FALLBACK and
     TOKEN_SECRET_FALLBACK set to new secrets (openssl rand -hex 32): it accepts
     them, and still uses the old ones
  2. restart every service with old and new secrets swapped: it uses the new ones
  3. run oja keys rotate with the settings of step 2
  4. restart every service without KEYS_MASTER_KEY_FALLBACK, and, after the
     number of days that step 3 prints, without TOKEN_SECRET_FALLBACK
If you stop all services at the same time, step 1 is not needed. In a demo, the
command creates the new secrets in the data folder, and the market must be
stopped. If the command is killed, run it again to continue.
`;

export function keysCommand(program: Command): void {
  program
    .command('keys')
    .description('replace the secrets that protect personal data and sessions')
    .addHelpText('after', examples('keys rotate --dry-run', 'keys rotate'))
    .command('rotate')
    .description('replace the master key and the token secret; nobody is logged out')
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', `${STEPS}${examples('keys rotate --dry-run', 'keys rotate --yes')}`)
    .action(lazyAction(async () => (await import('../commands/keys.js')).rotate));
}
