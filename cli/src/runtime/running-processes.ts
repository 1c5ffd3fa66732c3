import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  databases,
  type Engines,
  holderOf,
  isLocked,
  isProbeOf,
  nowOf,
  ownHost,
  probeOf,
  runningServices,
  whyStopped,
} from '@oja/platform';
import { failedExit } from '../terminal/exit.js';
import type { AppContext } from './context.js';
import { readMovedOutReason, refuseMoved } from './move-mark.js';

/** A space of State, which all machines of a market share. */
const SPACE = 'processes';
const BEAT_MS = 5_000;
/** A process without a heartbeat for this long counts as gone. */
const HEARTBEAT_TTL_MS = 20_000;
/** For how long the next heartbeat is waited for: an interval, and what a busy machine takes to write it. */
const NEXT_BEAT_WAIT_MS = BEAT_MS + 2_500;

/** A process that serves the market, as its heartbeat describes it. */
export type RunningProcess = {
  /** 'market': all services in one. */
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
  /** Identifies the master key that it wraps keys under, without revealing it; absent in earlier versions. */
  readonly keysProbe?: string;
  /** Where it answers requests; `host` null: every address of its machine. Absent in earlier versions. */
  readonly listens?: { readonly host: string | null; readonly port: number };
  /** Databases that take no writes, because they are damaged or their disk is full or broken. */
  readonly takesNoWrites?: readonly string[];
};

/** What is needed to find the processes of a market. */
interface ProcessDeps extends Pick<AppContext, 'clock'> {
  readonly config: Pick<AppContext['config'], 'dataDir'>;
  readonly engines: Pick<Engines, 'state'>;
  /** The name of this machine: by default what the system calls it. */
  readonly host?: string;
}

type ProcessConfigDeps = ProcessDeps & Pick<AppContext, 'config'>;

/**
 * Writes a heartbeat every 5 s, and does something after each but the first. Resolves after the first one, with a function
 * that stops them and removes the last.
 */
export async function keepHeartbeat(
  {
    config,
    engines,
    clock,
    logger,
    host = hostname(),
  }: ProcessConfigDeps & Pick<AppContext, 'logger'>,
  service: string,
  afterBeat: () => Promise<void> = async () => undefined,
): Promise<() => Promise<void>> {
  const { state } = engines;
  const key = `${service}/${host}/${process.pid}`;
  const since = nowOf({ clock });
  const keysProbe = probeOf(config.keysMasterKey);
  const listens = { host: ownHost(config), port: config.port };
  const beat = async () => {
    const now = clock.now();
    const stopped = databases.filter((name) => whyStopped(join(config.dataDir, name)) !== null);
    const entry: RunningProcess = {
      service,
      host,
      pid: process.pid,
      since,
      keysProbe,
      listens,
      ...(stopped.length > 0 && { takesNoWrites: stopped }),
    };
    await state
      .put(SPACE, key, entry, now, { expiresAt: now + HEARTBEAT_TTL_MS })
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the heartbeat of this process could not be stored'),
      );
  };
  await beat();
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = beat().then(afterBeat);
  }, BEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await last;
    await state.delete(SPACE, key).catch(() => false);
  };
}

/**
 * Announces that this process serves the market as these services, and then looks once more whether it is closed: what
 * closes a market marks it first and then looks for processes, so at least one of the two notices the other. Resolves
 * with a function that takes the announcement back. `onMovedOut`: called with the reason when the market was moved out
 * all the same. @throws Exit 78 when the market is closed by now.
 */
export async function announceProcesses(
  context: ProcessConfigDeps & Pick<AppContext, 'logger'>,
  services: readonly string[],
  onMovedOut: (why: string) => void,
): Promise<() => Promise<void>> {
  const look = async () => {
    // Where State does not answer now, the next heartbeat looks again.
    const why = await readMovedOutReason(context).catch(() => null);
    if (why !== null) onMovedOut(why);
  };
  // One of the heartbeats looks, for all of the process.
  const stops = await Promise.all(
    services.map((service, at) => keepHeartbeat(context, service, at === 0 ? look : undefined)),
  );
  const stop = async () => {
    for (const each of stops) await each();
  };
  await refuseMoved(context).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return stop;
}

interface Certainty {
  /**
   * For a command that must be alone: where a heartbeat of another machine has ended by our clock, the next one is
   * waited for. The end was written by the clock of that machine, which may be behind ours.
   */
  readonly certain?: boolean;
}

/** The processes with a recent heartbeat. */
async function heartbeats(
  { engines: { state }, clock, host = hostname() }: ProcessDeps,
  { certain = false }: Certainty,
): Promise<readonly RunningProcess[]> {
  if (!certain) {
    const recent = await state.list<RunningProcess>(SPACE, '', clock.now());
    return recent.map(({ value }) => value);
  }
  /** Those that have ended are among them, until they are swept. */
  const all = () => state.list<RunningProcess>(SPACE, '', 0);
  const isRecent = ({ expiresAt }: { readonly expiresAt: number | null }) =>
    expiresAt === null || expiresAt > clock.now();
  const before = await all();
  const isAwaited = before.some((entry) => !isRecent(entry) && entry.value.host !== host);
  if (!isAwaited) return before.filter(isRecent).map(({ value }) => value);
  await wait(NEXT_BEAT_WAIT_MS);
  const versions = new Map(before.map(({ key, version }) => [key, version]));
  // By the clock of another machine, one that has begun meanwhile may have ended as well.
  return (await all())
    .filter((entry) => isRecent(entry) || versions.get(entry.key) !== entry.version)
    .map(({ value }) => value);
}

/**
 * Whether a process of this machine is the one that runs everything on the folder. While one does that has not written
 * its id, as on a full disk, it may be any.
 */
function marketProcessMatcher(dataDir: string): (pid: number) => boolean {
  if (!isLocked(dataDir)) return () => false;
  const holder = holderOf(dataDir);
  return (pid) => holder === null || holder === pid;
}

/**
 * The processes that serve the market. For this machine the folder's locks are checked, which are always up to date;
 * for others their recent heartbeats count.
 */
export async function runningProcesses(
  context: ProcessDeps,
  certainty: Certainty = {},
): Promise<readonly RunningProcess[]> {
  const { dataDir } = context.config;
  const { host = hostname() } = context;
  const beating = await heartbeats(context, certainty);
  // Afterwards, because a heartbeat may have been waited for.
  const here = runningServices(dataDir);
  const isMarketProcess = marketProcessMatcher(dataDir);
  return beating.filter(
    ({ service, host: at, pid }) =>
      at !== host ||
      (service === 'market' ? isMarketProcess(pid) : here.some((one) => one.pid === pid)),
  );
}

/** Whether a process of this machine serves the market of a folder. On a full disk it could write no heartbeat. */
export const isServedHere = (dataDir: string): boolean =>
  isLocked(dataDir) || runningServices(dataDir).length > 0;

/** Whether anything serves the market now. */
export async function isRunning(context: ProcessDeps, certainty: Certainty = {}): Promise<boolean> {
  const { dataDir } = context.config;
  return (
    isServedHere(dataDir) ||
    (await runningProcesses(context, certainty)).length > 0 ||
    // One may have been started while a heartbeat was waited for.
    (certainty.certain === true && isServedHere(dataDir))
  );
}

/**
 * For a command that needs a closed market: what it does and what opens a market must notice each other, so first it
 * marks the market as closed. @throws Exit 1 when anything serves it; `outcome` is what was not done.
 */
export async function refuseRunning(
  context: ProcessDeps,
  outcome: string,
  certainty: Certainty = { certain: true },
): Promise<void> {
  if (await isRunning(context, certainty))
    throw failedExit(`The market runs: stop every service of it first; ${outcome}.`);
}

/**
 * A description of each process (found for certain) that wraps keys under another master key, or does not say under
 * which. `alone`: this process holds the folder's exclusive lock, so a whole-market heartbeat of this machine is out of
 * date.
 */
export async function processesWithOtherMasterKey(
  context: ProcessConfigDeps,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<readonly string[]> {
  const { dataDir, keysMasterKey } = context.config;
  const { host = hostname() } = context;
  const heard = (await runningProcesses(context, { certain: true })).filter(
    ({ service, host: at }) => !(alone && service === 'market' && at === host),
  );
  const others = heard.filter(
    ({ keysProbe }) => keysProbe === undefined || !isProbeOf(keysMasterKey, keysProbe),
  );
  const silent = runningServices(dataDir).filter(
    ({ pid }) => !heard.some((one) => one.pid === pid),
  );
  const isSilent = !alone && isLocked(dataDir) && !heard.some((one) => one.service === 'market');
  return [
    ...others.map(({ service, host: at, pid }) => `${service} on ${at}, process ${pid}`),
    ...silent.map(({ service, pid }) => `${service}, process ${pid}`),
    ...(isSilent ? ['A market that has just been started'] : []),
  ];
}
