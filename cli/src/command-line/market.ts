import type { Command } from 'commander';
import { serviceNames } from '../runtime/program.js';
import { readThen } from '../terminal/interrupt.js';
import type { Output } from '../terminal/output.js';
import { examples, known, whole } from '../terminal/usage.js';

const start = readThen(async () => (await import('../commands/start.js')).start);

const planned = readThen(async () => (await import('../commands/start-plan.js')).startPlan);

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('open the market: all of it, or the named services')
    .argument('[service...]', serviceNames.join(', '))
    .addHelpText(
      'after',
      examples(
        'start                    everything in one process, as npm start does',
        'start query-service      one service; PORT says where it listens',
        'start --plan             before an upgrade: exit 0 where it would open',
      ),
    )
    .option('--plan', 'say what a start would change, and change nothing')
    .option('--json', 'for programs, with --plan')
    .action((names: string[], options: Output & { readonly plan?: boolean }) => {
      const services = names.map((name) => known('service', name, serviceNames));
      return options.plan ? planned(services, options) : start(services);
    });
}

export function configCommand(program: Command): void {
  program
    .command('config')
    .description('the settings as they are understood; secrets are not shown')
    .option('--json', 'for programs')
    .addHelpText('after', '\nExample:\n  DATA_DIR=/srv/oja oja config\n')
    .action(readThen(async () => (await import('../commands/config.js')).config));
}

export function seedCommand(program: Command): void {
  program
    .command('seed')
    .description('make sample sellers, goods and orders, as a demo does at its first start')
    .option('--products <n>', 'goods', whole(0))
    .option('--sellers <n>', 'sellers', whole(1))
    .option('--orders <n>', 'orders', whole(0))
    .option('--seed <n>', 'which ones: the same seed makes the same', whole(0))
    .option('--json', 'for programs')
    .addHelpText('after', examples('seed --products 10000 --sellers 200 --orders 500 --seed 7'))
    .action(readThen(async () => (await import('../commands/seed.js')).seed));
}

const schemas = readThen(async () => (await import('../commands/schema.js')).schema);

export function schemaCommand(program: Command): void {
  program
    .command('schema')
    .description('what a command prints with --json, as a JSON Schema')
    .argument('[command...]', 'all words of its name; all commands are listed without')
    .option('--error', 'what every command that fails writes to its standard error')
    .option('--json', 'for programs: in one line')
    .addHelpText('after', examples('schema', 'schema payouts list', 'schema --error'))
    .action(schemas);
}

export function adminCommand(program: Command): void {
  const admin = program
    .command('admin')
    .description('make or unmake head admins')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"));
  admin
    .command('grant')
    .description('make a seller a head admin')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"))
    .action(readThen(async () => (await import('../commands/admin.js')).grant));
  admin
    .command('revoke')
    .description('make a head admin a seller again')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("admin revoke 'Adunni Textiles'"))
    .action(readThen(async () => (await import('../commands/admin.js')).revoke));
}

export function sellerCommand(program: Command): void {
  program
    .command('seller')
    .description('help a seller')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .command('reset-password')
    .description('give a seller a new password, shown once, and end all their sessions')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .action(readThen(async () => (await import('../commands/seller.js')).reset));
}

const STEPS = `
Outside a demo the secrets are yours, and the market may sell meanwhile:
  1. start every service with KEYS_MASTER_KEY_FALLBACK and TOKEN_SECRET_FALLBACK
     set to new secrets (openssl rand -hex 32): it knows them and uses the old
  2. start every service with the two swapped: it uses the new ones
  3. oja keys rotate, with the settings of step 2
  4. start every service without KEYS_MASTER_KEY_FALLBACK; and without
     TOKEN_SECRET_FALLBACK after as many days as step 3 says
Where all services are stopped at once, step 1 is not needed. A demo makes its
own secrets anew in its folder, and must be stopped. Killed, the same command
goes on.
`;

export function keysCommand(program: Command): void {
  program
    .command('keys')
    .description("the secrets that personal data is sealed with, and people's sessions")
    .addHelpText('after', examples('keys rotate --dry-run', 'keys rotate'))
    .command('rotate')
    .description('another master key and token secret; nobody is logged out')
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText('after', `${STEPS}${examples('keys rotate --dry-run', 'keys rotate --yes')}`)
    .action(readThen(async () => (await import('../commands/keys.js')).rotate));
}
