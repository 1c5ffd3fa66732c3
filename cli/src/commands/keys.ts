import { DAY_MS } from '@oja/domain';
import {
  beginRotation,
  createSecurityLog,
  endRotation,
  openDataDir,
  type Plan,
  type Rewrapped,
  SESSION_IDLE_MS,
  systemClock,
} from '@oja/platform';
import { type AppContext, withContext } from '../runtime/context.js';
import { planOrExit } from '../runtime/open-data.js';
import { currentOperator } from '../runtime/operator.js';
import { isRunning, processesWithOtherMasterKey } from '../runtime/running-processes.js';
import { type ConfirmOptions, confirm } from '../terminal/confirm.js';
import { configExit, exitCodes, failedExit, usageExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { type Output, plural, printAnswer, wrapLines } from '../terminal/output.js';
import { withProgress } from '../terminal/progress.js';

interface Options extends Output, ConfirmOptions {
  readonly dryRun?: boolean;
}

/** Refuses while other processes would wrap new keys under the old master key. @throws Exit 1 naming them. */
function refuseOthers(others: readonly string[], how: string): void {
  if (others.length > 0) throw failedExit(`${others.join(', ')}: ${how}; no key was changed.`);
}

const BACKUP_NOTE =
  'An earlier backup opens only with the KEYS_MASTER_KEY of its time: keep that key as long as the backup.';
const DAYS = SESSION_IDLE_MS / DAY_MS;

async function rewrap(
  { engines, logger }: AppContext,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<Rewrapped> {
  if (dryRun) return engines.keys.rewrap({ dryRun, signal });
  const done = await withProgress('Wrapping', (onProgress) =>
    engines.keys.rewrap({ signal, onProgress }),
  );
  createSecurityLog(logger)({
    event: 'keys-rotated',
    outcome: 'granted',
    actor: currentOperator(),
    from: null,
  });
  return done;
}

function printRotation(options: Options, done: Rewrapped, next: readonly string[]): void {
  printAnswer<'keys rotate'>(options, { dryRun: false, ...done }, () => [
    `${done.rewrapped} of ${plural(done.keys, 'key')} rewrapped: all are under the new master key now.`,
    ...(done.lingers
      ? ['A reader keeps old bytes in the write-ahead log of keys.db: run it again.']
      : []),
    ...[...next, BACKUP_NOTE].flatMap((line) => wrapLines(line)),
  ]);
  if (done.lingers) process.exitCode = exitCodes.failed;
}

const printPlannedRotation = (options: Options, { keys }: Rewrapped, rewrapped: number): void =>
  printAnswer<'keys rotate'>(options, { dryRun: true, keys, rewrapped }, () => [
    `${rewrapped} of ${plural(keys, 'key')} would be rewrapped. Nothing was changed.`,
  ]);

/** Rotates the operator's own secrets, which other machines may use too: both old and new are in the settings. */
async function rotateGiven(plan: Plan, options: Options, signal: AbortSignal): Promise<void> {
  const { KEYS_MASTER_KEY: key, KEYS_MASTER_KEY_FALLBACK: fallback } = plan.variables;
  if (key === undefined || fallback === undefined || key.equals(fallback))
    throw usageExit(
      'Make a new KEYS_MASTER_KEY first (openssl rand -hex 32), and set KEYS_MASTER_KEY_FALLBACK to the previous one, for every service: docs/deploy.md has the steps. Nothing was changed.',
    );
  await withContext(async (context) => {
    const refuseUnderOld = async () =>
      refuseOthers(
        await processesWithOtherMasterKey(context),
        'start it with the same KEYS_MASTER_KEY and KEYS_MASTER_KEY_FALLBACK first (a killed one still counts for 20 seconds)',
      );
    await refuseUnderOld();
    const before = await rewrap(context, true, signal);
    if (options.dryRun) return printPlannedRotation(options, before, before.rewrapped);
    await confirm(
      `${plural(before.rewrapped, 'key')} will be wrapped under the new KEYS_MASTER_KEY. ${BACKUP_NOTE}`,
      options,
    );
    // The question may have waited long, and another machine may have been started meanwhile.
    await refuseUnderOld();
    printRotation(options, await rewrap(context, false, signal), [
      `Remove KEYS_MASTER_KEY_FALLBACK from every service. Keep TOKEN_SECRET_FALLBACK for ${DAYS} days after the last service has the new TOKEN_SECRET: until then, people who logged in before may come back.`,
    ]);
  });
}

/** Rotates the secrets that a demo keeps in its data folder: makes new ones while no other process uses the folder. */
async function rotateHere(plan: Plan, options: Options, signal: AbortSignal): Promise<void> {
  const { isBegun, ...before } = await withContext(async (context) => {
    if (options.dryRun !== true && (await isRunning(context, { certain: true })))
      throw failedExit('The market runs: stop it first; nothing was changed.');
    const isBegun = context.config.keysMasterKeyFallback !== null;
    return { isBegun, ...(await rewrap(context, true, signal)) };
  });
  // A killed rotation goes on with the keys that are left; a new one wraps all of them.
  if (options.dryRun)
    return printPlannedRotation(options, before, isBegun ? before.rewrapped : before.keys);
  await confirm(
    'A new master key and a new token secret will be created in secrets.json. Each backup contains the ones of its time.',
    options,
  );
  const opened = openDataDir(plan.dataDir, { exclusive: true });
  if (!opened.ok) throw configExit(opened.message);
  const { path, release } = opened.dataDir;
  try {
    const now = systemClock.now();
    beginRotation(path, now, now - SESSION_IDLE_MS);
    const done = await withContext(async (context) => {
      const others = await processesWithOtherMasterKey(context, { alone: true });
      refuseOthers(others, 'stop it, and run the same command again');
      return rewrap(context, false, signal);
    });
    endRotation(path);
    printRotation(options, done, [
      `Nobody is logged out: the previous token secret is still accepted. Another rotation within ${DAYS} days keeps the token secret.`,
    ]);
  } finally {
    release();
  }
}

/** Rotates the secrets: those that a demo keeps in its folder, or else the ones in the settings. */
export async function rotate(options: Options): Promise<void> {
  const plan = planOrExit(process.env, true);
  const isHere = plan.demo && plan.variables.KEYS_MASTER_KEY === undefined;
  await (isHere ? rotateHere : rotateGiven)(plan, options, interruptSignal());
}
