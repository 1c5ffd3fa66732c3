import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  databases,
  isLocked,
  isProbeOf,
  probeOf,
  runningServices,
  whyStopped,
} from '@oja/platform';
import type { AppContext } from './context.js';

/** A space of State, which all machines of a market share. */
const SPACE = 'processes';
const BEAT_MS = 5_000;
/** A process without a heartbeat for this long counts as gone. */
const SILENCE_MS = 20_000;
/** Hosts that mean every address of a machine, so that no request can be sent to them. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

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

type Stands = Pick<AppContext, 'config' | 'engines' | 'clock' | 'logger'>;

/** Writes a heartbeat every 5 s. Resolves after the first one, with a function that stops them and removes the last. */
export async function keepHeartbeat(
  { config, engines, clock, logger }: Stands,
  service: string,
): Promise<() => Promise<void>> {
  const { state } = engines;
  const host = hostname();
  const key = `${service}/${host}/${process.pid}`;
  const since = new Date(clock.now()).toISOString();
  const keysProbe = probeOf(config.keysMasterKey);
  const listens = {
    host: config.hosts.find((one) => !EVERYWHERE.has(one)) ?? null,
    port: config.port,
  };
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
      .put(SPACE, key, entry, now, { expiresAt: now + SILENCE_MS })
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the heartbeat of this process could not be stored'),
      );
  };
  await beat();
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = beat();
  }, BEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await last;
    await state.delete(SPACE, key).catch(() => false);
  };
}

/** The processes with a recent heartbeat. */
async function heartbeats({ engines, clock }: AppContext): Promise<readonly RunningProcess[]> {
  const entries = await engines.state.list<RunningProcess>(SPACE, '', clock.now());
  return entries.map(({ value }) => value);
}

/**
 * The processes that serve the market. For this machine the folder's locks are checked, which are always up to date;
 * for others their recent heartbeats count.
 */
export async function runningProcesses(context: AppContext): Promise<readonly RunningProcess[]> {
  const { dataDir } = context.config;
  const here = runningServices(dataDir);
  const market = isLocked(dataDir);
  const host = hostname();
  const runs = ({ service, host: at, pid }: RunningProcess) =>
    at !== host || (service === 'market' ? market : here.some((one) => one.pid === pid));
  return (await heartbeats(context)).filter(runs);
}

/** Whether anything serves the market now. */
export const isRunning = async (context: AppContext): Promise<boolean> =>
  isLocked(context.config.dataDir) ||
  // On a full disk services cannot write heartbeats.
  runningServices(context.config.dataDir).length > 0 ||
  (await runningProcesses(context)).length > 0;

/**
 * The processes, in words, that wrap keys under another master key than ours, or do not say under which. `alone`: this
 * process holds the folder's exclusive lock, so a whole-market heartbeat of this machine is out of date.
 */
export async function processesWithOtherMasterKey(
  context: AppContext,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<readonly string[]> {
  const { dataDir, keysMasterKey } = context.config;
  const heard = (await runningProcesses(context)).filter(
    ({ service, host }) => !(alone && service === 'market' && host === hostname()),
  );
  const others = heard.filter(
    ({ keysProbe }) => keysProbe === undefined || !isProbeOf(keysMasterKey, keysProbe),
  );
  const silent = runningServices(dataDir).filter(
    ({ pid }) => !heard.some((one) => one.pid === pid),
  );
  const isSilent = !alone && isLocked(dataDir) && !heard.some((one) => one.service === 'market');
  return [
    ...others.map(({ service, host, pid }) => `${service} on ${host}, process ${pid}`),
    ...silent.map(({ service, pid }) => `${service}, process ${pid}`),
    ...(isSilent ? ['A market that has just been started'] : []),
  ];
}
