import { hostname } from 'node:os';
import type { Ground } from './part.js';

/** In State: it is the same for all machines of a market. */
const SPACE = 'processes';
const BEAT_MS = 5_000;
/** From then on a process that was not heard of counts as gone. */
const SILENCE_MS = 20_000;

/** A process that serves the market, as it says itself. */
export type Heartbeat = {
  /** 'market': all services in one. */
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
};

type Stands = Pick<Ground, 'engines' | 'clock' | 'logger'>;

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
export async function heartbeats({ engines, clock }: Stands): Promise<readonly Heartbeat[]> {
  const entries = await engines.state.list<Heartbeat>(SPACE, '', clock.now());
  return entries.map(({ value }) => value);
}
