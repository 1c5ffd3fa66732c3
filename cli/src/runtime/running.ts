import { hostname } from 'node:os';
import { announced, isLocked } from '@oja/platform';
import type { AppContext } from './context.js';

/** In State: it is the same for all machines of a market. */
const SPACE = 'processes';
const BEAT_MS = 5_000;
/** From then on a process that was not heard of counts as gone. */
const SILENCE_MS = 20_000;

/** A process that serves the market, as it says itself. */
type Heartbeat = {
  /** 'market': all services in one. */
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
};

type Stands = Pick<AppContext, 'engines' | 'clock' | 'logger'>;

/** Says every few seconds that this process runs the service; resolves with how to stop. */
export async function keepHeartbeat(
  { engines, clock, logger }: Stands,
  service: string,
): Promise<() => Promise<void>> {
  const { state } = engines;
  const host = hostname();
  const key = `${service}/${host}/${process.pid}`;
  const since = new Date(clock.now()).toISOString();
  const beat = async () => {
    const now = clock.now();
    const told: Heartbeat = { service, host, pid: process.pid, since };
    await state
      .put(SPACE, key, told, now, { expiresAt: now + SILENCE_MS })
      .catch((error: unknown) => logger.warn({ err: error }, 'no heartbeat'));
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

/** The processes that were heard of lately. */
async function heartbeats({ engines, clock }: Stands): Promise<readonly Heartbeat[]> {
  const entries = await engines.state.list<Heartbeat>(SPACE, '', clock.now());
  return entries.map(({ value }) => value);
}

/**
 * The processes that serve the market. Of this machine the folder's locks tell, to the moment; of others
 * what they said lately.
 */
export async function runningProcesses(context: AppContext): Promise<readonly Heartbeat[]> {
  const { dataDir } = context.config;
  const here = announced(dataDir);
  const market = isLocked(dataDir);
  const host = hostname();
  const runs = ({ service, host: at, pid }: Heartbeat) =>
    at !== host || (service === 'market' ? market : here.some((one) => one.pid === pid));
  return (await heartbeats(context)).filter(runs);
}

/** Whether anything serves the market now. */
export const isRunning = async (context: AppContext): Promise<boolean> =>
  isLocked(context.config.dataDir) || (await runningProcesses(context)).length > 0;
