import { cpSync, readdirSync } from 'node:fs';
import { type Market, openMarket, temporaryFolder } from './market.js';

/** Names the folder of the prepared market, which the tests' markets start as copies of. */
const PLACE = 'OJA_SAMPLE_MARKET';

/**
 * Global setup: makes one market with samples for all tests, since each of their many markets would
 * take several seconds to make its own. `looked` may first fetch what the market draws slowly.
 *
 * @returns a function that removes it
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

/** Opens a copy of the sample market. Its first start, which it skips, has its own tests. */
export async function openSampleMarket(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  on?: number,
): Promise<Market> {
  const made = process.env[PLACE];
  if (made === undefined) throw new Error(`${PLACE} is not set: makeSampleMarket comes first`);
  // The lock belongs to the process that held it.
  for (const name of readdirSync(made))
    if (!name.startsWith('start.lock'))
      cpSync(`${made}/${name}`, `${dataDir}/${name}`, { recursive: true });
  return openMarket(dataDir, on, env);
}
