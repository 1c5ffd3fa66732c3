import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { readThen } from '../terminal/interrupt.js';
import { examples } from '../terminal/usage.js';

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

const KEYS_HELP = 'folder of the keys (default: the folder with -keys at its end)';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('copy all embedded files, the keys apart; the market may sell')
    .argument('<folder>', 'a new or empty folder')
    .option('--keys <folder>', KEYS_HELP)
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nLetters and logs are not copied, so that an erasure reaches every copy.\n${examples('backup /backups/2026-01-31 --keys /vault/2026-01-31')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).backup));
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('put the files of a backup in place of the market; it must not run')
    .argument('<folder>', 'what oja backup wrote')
    .option('--keys <folder>', KEYS_HELP)
    .option('--yes', 'replace the market that is there without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `\nEverything is checked before anything is changed. Who was erased since stays erased.\n${examples('restore /backups/2026-01-31 --keys /vault/2026-01-31 --yes')}`,
    )
    .action(readThen(async () => (await import('../commands/backup/index.js')).bringBack));
}

export function drillCommand(program: Command): void {
  program
    .command('drill')
    .description('prove on copies that the market can be brought back; it may sell meanwhile')
    .option('--in <folder>', 'where the copies are made', tmpdir())
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Backs up, restores beside, builds every read model anew, verifies, erases somebody and looks for what they
left, and says how long each took. The copies reach no mail server and no payment provider, and are deleted
in the end; they hold the market's keys meanwhile. Exit 1 where a step does not succeed.
${examples('drill', 'drill --in /srv/scratch --json')}`,
    )
    .action(readThen(async () => (await import('../commands/drill/index.js')).runDrill));
}
