import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { readThen } from '../terminal/interrupt.js';
import { examples, whole } from '../terminal/usage.js';

export function moveCommand(program: Command): void {
  const move = program
    .command('move')
    .description('take a whole market elsewhere, to the same or other engines')
    .addHelpText(
      'after',
      examples('move out market.oja.gz', 'move in market.oja.gz', 'move reopen --yes'),
    );
  move
    .command('out')
    .description('write log, state, keys and pictures into one file, and close the market')
    .argument('<file>', 'a new file, packed where it ends in .gz; - is standard output')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nThe market must not run. Keys stay wrapped: KEYS_MASTER_KEY is not in the file.\n${examples('move out market.oja.gz')}`,
    )
    .action(readThen(async () => (await import('../commands/move/index.js')).out));
  move
    .command('in')
    .description('bring a whole market in; into an empty one only')
    .argument('<file>', 'what oja move out wrote, packed or not; - is standard input')
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--sign-out', 'take it although TOKEN_SECRET is another one: everybody is logged out')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nEverything is compared before anything is written. Killed, the same command goes on.\n${examples('move in market.oja.gz', 'move in --dry-run market.oja.gz')}`,
    )
    .action(readThen(async () => (await import('../commands/move/index.js')).into));
  move
    .command('reopen')
    .description('open a market again that was moved out')
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText('after', `\n${examples('move reopen --yes').trimStart()}`)
    .action(readThen(async () => (await import('../commands/move/index.js')).reopen));
}

/** Adds the retention options. */
const retained = (command: Command): Command =>
  command
    .option('--keep <n>', 'keep so many of the newest backups of this market', whole(1))
    .option('--keep-days <n>', 'keep those of so many days', whole(1));

const PLACE = 'the folder, or s3://bucket/prefix, that backups are in';
const S3_SETTINGS = `AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
AWS_REGION open S3, as for other tools; AWS_ENDPOINT_URL says whose S3 it is
where it is not Amazon's.`;

export function backupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('copy all embedded files, the keys apart; the market may sell')
    .argument('<place>', 'a new or empty folder, or s3://bucket/prefix')
    .option('--keys <place>', 'where the keys go (default: the place with -keys at its end)')
    .option('--encrypt', 'encrypt a folder too; what goes to S3 always is');
  retained(backup)
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Letters and logs are not copied, so that an erasure reaches every copy. With
--keep or --keep-days the backups of this market beside the new one are
deleted with their keys, but for those that either keeps.

At an S3 address each backup gets the time as its name. It is encrypted here,
for BACKUP_RECIPIENT: make a key with oja backup key. ${S3_SETTINGS}
${examples('backup /backups/2026-01-31 --keys /vault/2026-01-31', 'backup s3://bucket/oja --keys s3://vault/oja --keep 7', 'backup list s3://bucket/oja', 'backup prune /backups --keys /vault --keep 7 --dry-run')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).backup));
  backup
    .command('list')
    .description('the backups that lie at a place, the newest first; whose keys they still hold')
    .argument('<place>', PLACE)
    .option('--json', 'for programs')
    .addHelpText('after', `\n${examples('backup list /backups', 'backup list s3://bucket/oja')}`)
    .action(readThen(async () => (await import('../commands/backup/index.js')).list));
  const prune = backup
    .command('prune')
    .description('delete old backups of this market with their keys; the newest whole one stays')
    .argument('<place>', PLACE)
    .option('--keys <place>', 'where the backups of the keys are');
  retained(prune)
    .option('--dry-run', 'say what would be deleted, and delete nothing')
    .option('--yes', 'do it without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Nothing is deleted that is no backup of this market.
${examples('backup prune /backups --keys /vault --keep 7 --keep-days 30 --yes')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).pruneAt));
  backup
    .command('key')
    .description('make a key for encrypted backups, and show its public half')
    .argument('<file>', 'a new file for the key; it opens every backup, so keep it elsewhere')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
It is a key of age (age-encryption.org), as age-keygen makes it; age --decrypt
opens what it is for.
${examples('backup key backup.key')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).newBackupKey));
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('put the files of a backup in place of the market; it must not run')
    .argument('<backup>', 'what oja backup wrote: a folder, or s3://bucket/prefix/<name>')
    .option('--keys <backup>', 'the keys of that backup (default: where oja backup puts them)')
    .option('--yes', 'replace the market that is there without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Everything is checked before anything is changed. Who was erased since stays
erased. What is encrypted is opened with BACKUP_KEY, or the file that
BACKUP_KEY_FILE names. ${S3_SETTINGS}
${examples('restore /backups/2026-01-31 --keys /vault/2026-01-31 --yes', 'restore s3://bucket/oja/2026-01-31T02-00-00Z --keys s3://vault/oja/2026-01-31T02-00-00Z')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).bringBack));
}

export function drillCommand(program: Command): void {
  program
    .command('drill')
    .description('prove on copies that the market can be brought back; it may sell meanwhile')
    .option('--in <folder>', 'where the copies are made', tmpdir())
    .option('--from <backup>', 'try one that lies somewhere, in place of making one')
    .option('--keys <backup>', 'the keys of that one')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Backs up, restores beside, builds every read model anew, verifies, erases somebody and looks for what they
left, and says how long each took. The copies reach no mail server and no payment provider, and are deleted
in the end; they hold the market's keys meanwhile. Exit 1 where a step does not succeed.
${examples('drill', 'drill --in /srv/scratch --json', 'drill --from s3://bucket/oja/2026-01-31T02-00-00Z')}`,
    )
    .action(readThen(async () => (await import('../commands/drill/index.js')).runDrill));
}
