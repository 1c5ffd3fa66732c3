import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { existingSecrets, files, isProbeOf, type Plan } from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { deleteMove, readMoveEntry } from '../../runtime/move-mark.js';
import { planOrExit } from '../../runtime/open-data.js';
import { refuseRunning } from '../../runtime/running-processes.js';
import { type ConfirmOptions, confirm } from '../../terminal/confirm.js';
import { configExit, failedExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, plural, printAnswer } from '../../terminal/output.js';
import { withProgress } from '../../terminal/progress.js';
import { openSource, STANDARD } from '../transfer/source.js';
import { type Counts, checkArchive, type Header, sessionsProbeOf } from './archive.js';
import { checkBeforeMoveIn, moveIn } from './in.js';
import { moveOut } from './out.js';

const described = ({ log, state, keys, pictures }: Counts): string =>
  `${plural(log, 'event')}, ${plural(state, 'entry', 'entries')} of state, ${plural(keys, 'key')}, ${plural(pictures, 'picture')}`;

const totalOf = ({ log, state, keys, pictures }: Counts): number => log + state + keys + pictures;

/** Moves the market out into a file (`-`: standard output) and closes it. @throws Exit 1 when it runs. */
export async function out(file: string, options: Output): Promise<void> {
  const signal = interruptSignal();
  await withContext(
    async (context) => {
      // The move looks again, for certain, once the market is marked: until then nothing is changed.
      await refuseRunning(context, 'nothing was moved', { certain: false });
      const moved = await withProgress('Moving out', (at) => moveOut(context, file, signal, at));
      if (file === STANDARD) return;
      printAnswer<'move out'>(options, moved, () => [
        `${described(moved.counts)} in ${file}, SHA-256 ${moved.sha256}`,
        'This market is closed from now on. To move it in, the new place needs the same KEYS_MASTER_KEY and TOKEN_SECRET, which are not in the file.',
      ]);
    },
    { mayBeMoved: true },
  );
}

/** Checked before anything is created. @throws Exit 78 when this market has another master key or token secret. */
function refuseOtherSecrets(plan: Plan, header: Header, signOut: boolean): void {
  const { keysMasterKey, tokenSecret } = existingSecrets(plan);
  const how = plan.demo
    ? `copy secrets.json of the market it came from into ${plan.dataDir} first`
    : 'set the one of the market it came from';
  if (keysMasterKey === null || !isProbeOf(keysMasterKey, header.keysProbe))
    throw configExit(
      `The keys of people in it are wrapped under ${keysMasterKey === null ? 'a KEYS_MASTER_KEY that is not here' : 'another KEYS_MASTER_KEY'}: ${how}; nothing was moved.`,
    );
  const isSame = tokenSecret !== null && sessionsProbeOf(tokenSecret) === header.sessionsProbe;
  if (!isSame && !signOut)
    throw configExit(
      `People are logged in under another TOKEN_SECRET: ${how}, or log everybody out with --sign-out; nothing was moved.`,
    );
}

interface Into {
  readonly dryRun?: boolean;
  readonly signOut?: boolean;
}

/**
 * Moves a market in from a file (`-`: standard input).
 * @throws Exit 2 for a damaged file; 78 for other secrets; 1 when a market is here already, or runs.
 */
export async function into(named: string, options: Output & Into): Promise<void> {
  const signal = interruptSignal();
  const source = await openSource(named, signal);
  try {
    const { header, trailer } = await checkArchive(source, signal);
    const { counts } = trailer;
    const plan = planOrExit(process.env, true);
    refuseOtherSecrets(plan, header, options.signOut === true);
    const archive = { source, header, counts };
    const would = (added: number, already: boolean) =>
      printAnswer<'move in'>(options, { dryRun: true, already, added, counts }, () => [
        already
          ? 'It was moved in here already: nothing would be done.'
          : `${described(counts)} would be moved in; ${plural(added, 'event')} of them not there yet. Nothing was changed.`,
      ]);
    const isNew = plan.variables.EVENTSTORE_URL === undefined && isEmpty(plan);
    if (options.dryRun && isNew) return would(counts.log, false);
    await withContext(
      async (context) => {
        // As a move out does.
        await refuseRunning(context, 'nothing was moved', { certain: options.dryRun === true });
        if (options.dryRun) {
          const { added, already } = await checkBeforeMoveIn(context, archive, signal);
          return would(added, already);
        }
        const moved = await withProgress('Moving in', (at) =>
          moveIn(context, archive, signal, (done) => at(done, totalOf(counts))),
        );
        printAnswer<'move in'>(options, moved, () => [
          moved.already
            ? 'It was moved in here already; nothing was changed.'
            : `${described(counts)} moved in; the next start builds the read models.`,
        ]);
      },
      { mayBeNew: true, mayBeMoved: true, mayBeOtherLog: true },
    );
  } finally {
    source.dispose();
  }
}

const isEmpty = ({ dataDir, variables }: Plan): boolean =>
  variables.MONGODB_URL === undefined &&
  [files.log, files.state, files.keys].every((name) => !existsSync(join(dataDir, name)));

/** Opens a market again that was moved out; asks first, since two open copies would both pay. */
export async function reopen(options: ConfirmOptions & Output): Promise<void> {
  await withContext(
    async (context) => {
      const move = await readMoveEntry(context);
      if (move?.value.way !== 'out')
        throw failedExit('This market was not moved out; nothing was changed.');
      await confirm(
        'If the market that it was moved to has been opened, both would pay and refund the same orders.',
        options,
      );
      await deleteMove(context, move);
      printAnswer<'move reopen'>(options, { id: move.value.id, open: true }, () => [
        'The market may be opened again.',
      ]);
    },
    { mayBeMoved: true },
  );
}
