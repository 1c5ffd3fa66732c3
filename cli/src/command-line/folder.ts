import { tmpdir } from 'node:os';
import { type Command, Option } from 'commander';
import { lazyAction } from '../terminal/interrupt.js';
import { examples, wholeNumber } from '../terminal/usage.js';

export function moveCommand(program: Command): void {
  const move = program
    .command('move')
    .description('move a whole market to another place or to other engines')
    .addHelpText(
      'after',
      examples('move out market.oja.gz', 'move in market.oja.gz', 'move reopen --yes'),
    );
  move
    .command('out')
    .description('write log, state, keys and pictures to one file, and close the market')
    .argument('<file>', 'file to create, compressed if it ends in .gz; - is standard output')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nThe market must be stopped. Keys stay wrapped: KEYS_MASTER_KEY is not in the\nfile.\n${examples('move out market.oja.gz')}`,
    )
    .action(lazyAction(async () => (await import('../commands/move/index.js')).out));
  move
    .command('in')
    .description('move a whole market in from a file; only into an empty place')
    .argument('<file>', 'file written by oja move out, compressed or not; - is standard input')
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--sign-out', 'accept a different TOKEN_SECRET; everybody is logged out')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nEverything is checked before anything is written. If the command\nis killed, run it again to continue.\n${examples('move in market.oja.gz', 'move in --dry-run market.oja.gz')}`,
    )
    .action(lazyAction(async () => (await import('../commands/move/index.js')).into));
  move
    .command('reopen')
    .description('reopen a market that was moved out')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', `\n${examples('move reopen --yes').trimStart()}`)
    .action(lazyAction(async () => (await import('../commands/move/index.js')).reopen));
}

/** Adds the retention options. */
const addRetentionOptions = (command: Command): Command =>
  command
    .option('--keep <n>', 'keep the newest <n> backups of this market', wholeNumber(1))
    .option('--keep-days <n>', 'keep the backups of the last <n> days', wholeNumber(1));

const PLACE = 'folder, or s3://bucket/prefix, that contains the backups';
const S3_SETTINGS = `
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION give access to S3, as
in other tools. AWS_ENDPOINT_URL selects another provider than Amazon.`;

export function backupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up all files of the market, keys separately; it may be running')
    .argument('<place>', 'a new or empty folder, or s3://bucket/prefix')
    .option('--keys <place>', 'where to put the keys (default: <place>-keys)')
    .option('--encrypt', 'encrypt a backup to a folder; backups to S3 always are encrypted');
  addRetentionOptions(backup)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
E-mails and logs are not copied, because an erasure would not reach the copy.
With --keep or --keep-days, older backups of this market beside the new one
are deleted with their keys, unless one of the two options keeps them.

In S3, each backup is named by its time. It is encrypted on this machine for
BACKUP_RECIPIENT; oja backup key creates a key.
${S3_SETTINGS}
${examples('backup /backups/2026-01-31 --keys /vault/2026-01-31', 'backup s3://bucket/oja --keys s3://vault/oja --keep 7', 'backup list s3://bucket/oja', 'backup prune /backups --keys /vault --keep 7 --dry-run')}`,
    )
    .action(lazyAction(async () => (await import('../commands/backup/index.js')).backup));
  backup
    .command('list')
    .description('list backups, newest first, and how many erased people they hold keys of')
    .argument('<place>', PLACE)
    .option('--json', 'print JSON')
    .addHelpText('after', `\n${examples('backup list /backups', 'backup list s3://bucket/oja')}`)
    .action(lazyAction(async () => (await import('../commands/backup/index.js')).list));
  const prune = backup
    .command('prune')
    .description('delete old backups of this market and their keys; the newest complete one stays')
    .argument('<place>', PLACE)
    .option('--keys <place>', 'place that contains the backups of the keys');
  addRetentionOptions(prune)
    .option('--lone-keys', 'also delete old keys whose backup is not at the place')
    .option('--dry-run', 'show what would be deleted, and delete nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Only backups of this market are deleted. Anything else at the place stays.
If older backups were deleted while their keys lay at another place, those are
left there: --lone-keys deletes them. Do not use it if backups that lie
elsewhere have their keys there too.
${examples('backup prune /backups --keys /vault --keep 7 --keep-days 30 --yes')}`,
    )
    .action(lazyAction(async () => (await import('../commands/backup/index.js')).pruneBackups));
  backup
    .command('key')
    .description('create a key for encrypted backups, and print its public half')
    .argument('<file>', 'file to create; the key opens every backup, so keep it elsewhere')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The key is in the format of age (age-encryption.org), as age-keygen creates it.
age --decrypt opens the backups, too.
${examples('backup key backup.key')}`,
    )
    .action(lazyAction(async () => (await import('../commands/backup/index.js')).newBackupKey));
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('replace the market with a backup; the market must be stopped')
    .argument('<backup>', 'the backup: a folder, or s3://bucket/prefix/<name>')
    .option('--keys <backup>', 'the keys of that backup (default: where oja backup puts them)')
    .option('--yes', 'replace an existing market without asking for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Everything is checked before anything is changed. People who have been erased
since the backup stay erased. An encrypted backup is opened with BACKUP_KEY, or
with the file that BACKUP_KEY_FILE names.
${S3_SETTINGS}
${examples('restore /backups/2026-01-31 --keys /vault/2026-01-31 --yes', 'restore s3://bucket/oja/2026-01-31T02-00-00Z --keys s3://vault/oja/2026-01-31T02-00-00Z')}`,
    )
    .action(lazyAction(async () => (await import('../commands/backup/index.js')).restoreBackup));
}

export function drillCommand(program: Command): void {
  program
    .command('drill')
    .description('rehearse a restore on copies; the market may be running')
    .addOption(new Option('--in <folder>', 'folder for the copies').default(tmpdir(), tmpdir()))
    .option('--from <backup>', 'use an existing backup instead of making one')
    .option('--keys <backup>', 'the keys of the existing backup')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Makes a backup, restores it into a folder of its own, rebuilds and verifies
every read model, erases a person and searches for remains, and says how long
each step took. The copies reach no mail server and no payment provider. They
contain the market's keys and are deleted at the end. The exit code is 1 if a
step fails.
${examples('drill', 'drill --in /srv/scratch --json', 'drill --from s3://bucket/oja/2026-01-31T02-00-00Z')}`,
    )
    .action(lazyAction(async () => (await import('../commands/drill.js')).runDrill));
}
