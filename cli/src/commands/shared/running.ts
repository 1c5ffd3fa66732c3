import { hostname } from 'node:os';
import { announced, isLocked } from '@oja/platform';
import { type Heartbeat, heartbeats } from '../../market/heartbeat.js';
import type { Ground } from '../../market/part.js';

/**
 * The processes that serve the market. Of this machine the folder's locks tell, to the moment; of others
 * what they said lately.
 */
export async function runningProcesses(ground: Ground): Promise<readonly Heartbeat[]> {
  const { dataDir } = ground.config;
  const here = announced(dataDir);
  const market = isLocked(dataDir);
  const host = hostname();
  const runs = ({ service, host: at, pid }: Heartbeat) =>
    at !== host || (service === 'market' ? market : here.some((one) => one.pid === pid));
  return (await heartbeats(ground)).filter(runs);
}

/** Whether anything serves the market now. */
export const isRunning = async (ground: Ground): Promise<boolean> =>
  isLocked(ground.config.dataDir) || (await runningProcesses(ground)).length > 0;
