import type { Plan } from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { planOrExit } from '../../runtime/open-data.js';
import type { Confirmed } from '../../terminal/confirm.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { megabytes, type Output, plural, show } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
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

export async function backup(folder: string, options: Output & Places): Promise<void> {
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

export async function bringBack(
  folder: string,
  options: Output & Places & Confirmed,
): Promise<void> {
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
