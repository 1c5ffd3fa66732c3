import { cpSync, readdirSync } from 'node:fs';
import { type Market, openMarket, temporaryFolder } from './market.js';

/** Where whoever runs the tests has left the market that others begin as. */
const PLACE = 'OJA_SAMPLE_MARKET';

/**
 * Before all tests: a market is made with its samples once, since each of the many that tests open would take several
 * seconds of the machine to make its own. `looked`: what has been looked at there, for whoever draws pictures else.
 *
 * @returns what removes it after them
 */
export async function makeSampleMarket(
  looked: (url: string) => Promise<void> = async () => {},
): Promise<() => void> {
  const folder = temporaryFolder();
  const market = await openMarket(folder.path);
  await looked(market.url);
  const code = await market.stop();
  if (code !== 0) throw new Error(`The sample market ended with ${code}: ${market.lines.at(-1)}`);
  process.env[PLACE] = folder.path;
  return folder.remove;
}

/** A market that is as a new one is after its first start; how it comes to be so has its own tests. */
export async function openSampleMarket(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  on?: number,
): Promise<Market> {
  const made = process.env[PLACE];
  if (made === undefined) throw new Error(`${PLACE} is not set: makeSampleMarket comes first`);
  // A lock belongs to the process that held it.
  for (const name of readdirSync(made))
    if (!name.startsWith('start.lock'))
      cpSync(`${made}/${name}`, `${dataDir}/${name}`, { recursive: true });
  return openMarket(dataDir, on, env);
}
