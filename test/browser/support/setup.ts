import { makeSampleMarket } from '../../support/sample-market.js';

/** The pages that most tests open first. */
const LOOKED_AT = ['/', '/category/Fashion', '/search-items?query=bag'];

/** Fetches the pictures of these pages, so that they are drawn once and not by every market. */
async function look(url: string): Promise<void> {
  const pages = await Promise.all(LOOKED_AT.map(async (path) => (await fetch(url + path)).text()));
  const pictures = new Set(pages.join().match(/[^\s"]+\/v1\/image\/[^\s"]+/g));
  if (pictures.size === 0) throw new Error('The pages of the sample market show no pictures');
  // All at once: the market limits how many it draws at the same time.
  await Promise.all(
    [...pictures].map(async (picture) => {
      const { ok } = await fetch(picture.replaceAll('&amp;', '&'));
      if (!ok) throw new Error(`${picture} could not be drawn`);
    }),
  );
}

/** Global setup of the browser tests. */
export default () => makeSampleMarket(look);
