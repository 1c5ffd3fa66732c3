import { afterAll, beforeAll } from 'vitest';
import { type Market, openMarket, temporaryFolder } from '../../../test/support/market.js';
import { openSampleMarket } from '../../../test/support/sample-market.js';

/** The market that the tests of a file share. */
export interface SharedMarket {
  readonly dataDir: string;
  /** Where it answers; the last address when it is stopped. */
  readonly url: string;
  /** Stops it, for tests of a closed market, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): Promise<number | null>;
  /** Opens it again. */
  open(): Promise<void>;
}

/** Opens the sample market before the tests of a file, and stops and removes it after them. */
export function useSampleMarket(): SharedMarket {
  const folder = temporaryFolder();
  let market: Market | null = null;
  const opened = (): Market => {
    if (market === null) throw new Error('the market opens before the first test');
    return market;
  };
  beforeAll(async () => {
    market = await openSampleMarket(folder.path);
  }, 120_000);
  afterAll(async () => {
    await market?.stop();
    folder.remove();
  });
  return {
    dataDir: folder.path,
    get url() {
      return opened().url;
    },
    stop: () => opened().stop(),
    kill: () => opened().kill(),
    async open() {
      market = await openMarket(folder.path);
    },
  };
}
