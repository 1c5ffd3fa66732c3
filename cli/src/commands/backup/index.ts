import type { Plan } from '@oja/platform';
import type { Command } from 'commander';
import { withContext } from '../../runtime/context.js';
import { planOrExit } from '../../runtime/open-data.js';
import type { Confirmed } from '../../terminal/confirm.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { megabytes, type Output, plural, show } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { examples } from '../../terminal/usage.js';
import { backUp } from './backup.js';
import { restore } from './restore.js';

/** What is not in the data folder when a variable is set, and how it is backed up then. */
const elsewhere = [
  [
    'EVENTSTORE_URL',
    "the events in EventStoreDB: copy its folder as its own documentation says, or keep them with 'oja export'",
  ],
  [
    'MONGODB_URL',
    'documents, state and keys in MongoDB: use mongodump, and keep the database of the keys apart',
  ],
] as const;

/**
 * A copy of the files is a market only where the files are all of it.
 * @throws Exit 2 naming what is elsewhere and what backs it up.
 */
export function refuseElsewhere({ variables }: Plan, outcome: string): void {
  const found = elsewhere.flatMap(([name, how]) =>
    variables[name] === undefined ? [] : [`${name} keeps ${how}`],
  );
  if (found.length > 0)
    throw new Exit(
      exitCodes.usage,
      `This market is not only in its files. ${found.join('; ')}. ${outcome}.`,
    );
}

interface Places {
  readonly keys?: string;
}

const keysOf = (folder: string, { keys }: Places) => keys ?? `${folder.replace(/\/+$/, '')}-keys`;

async function backup(folder: string, options: Output & Places): Promise<void> {
  refuseElsewhere(planOrExit(process.env, true), 'Nothing was copied');
  const signal = interruptSignal();
  await withContext(
    async (context) => {
      const done = await withProgress('Copying', (at) =>
        backUp(context, folder, keysOf(folder, options), signal, at),
      );
      show(options, done, () => [
        `${plural(done.files, 'file')}, ${megabytes(done.bytes)}: the market in ${done.folder}, its keys in ${done.keysFolder}.`,
        'Keep the two in different places: only both together can be read.',
      ]);
    },
    { moved: true },
  );
}

async function bringBack(folder: string, options: Output & Places & Confirmed): Promise<void> {
  const plan = planOrExit(process.env, true);
  refuseElsewhere(plan, 'Nothing was changed');
  const signal = interruptSignal();
  const done = await restore(plan, folder, keysOf(folder, options), options, signal);
  show(options, done, () => [
    `The market of ${done.at} is in ${done.dataDir}; start it.`,
    ...(done.erasedAgain > 0
      ? [`${plural(done.erasedAgain, 'person', 'people')} erased since then stay erased.`]
      : []),
    ...(done.modelsLeftOut ? ['The next start builds its read models anew.'] : []),
  ]);
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
    .action(backup);
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
    .action(bringBack);
}
