import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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

function sampleMarket(): string {
  const made = process.env[PLACE];
  if (made === undefined) throw new Error(`${PLACE} is not set: makeSampleMarket comes first`);
  return made;
}

/**
 * Copies the sample market, and opens it for nobody.
 * @param without how the names of files and folders begin that are not copied
 * @returns the folder of the copy
 */
export function copySampleMarket(to: string, without: readonly string[] = []): string {
  const made = sampleMarket();
  // The lock belongs to the process that held it.
  const apart = ['start.lock', ...without];
  const isCopied = (path: string) => !apart.some((start) => relative(made, path).startsWith(start));
  cpSync(made, to, { recursive: true, filter: isCopied });
  return to;
}

/** Opens a copy of the sample market. Its first start, which it skips, has its own tests. */
export async function openSampleMarket(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  on?: number,
): Promise<Market> {
  const made = sampleMarket();
  copySampleMarket(dataDir, [PICTURES]);
  shareDrawn(made, dataDir);
  const market = await openMarket(dataDir, on, env);
  return {
    ...market,
    async stop() {
      const code = await market.stop();
      shareDrawn(dataDir, made);
      return code;
    },
  };
}

const PICTURES = 'pictures';

/**
 * Gives one market the pictures of sample goods that another has drawn, as the same files: a picture is drawn once in
 * all tests, which costs more than what most markets do besides. No market writes to a picture that it has.
 */
function shareDrawn(from: string, to: string): void {
  const pictures = join(from, PICTURES);
  if (!existsSync(pictures)) return;
  for (const path of readdirSync(pictures, { recursive: true, encoding: 'utf8' })) {
    const place = join(to, PICTURES, path);
    if (!/(^|\/)sample-[^/]+\.webp(\.webp)?$/.test(path) || existsSync(place)) continue;
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    try {
      linkSync(join(pictures, path), place);
    } catch (error) {
      // Another worker's market was faster.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
