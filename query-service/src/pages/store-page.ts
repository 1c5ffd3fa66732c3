import { storePath } from '@oja/contracts/pages';
import { descending, equal, storeByName } from '../models/reader.js';
import type { PageAnswer } from './head.js';
import type { PageTools } from './page.js';
import { notFoundPage } from './plain-pages.js';
import { pictureAt } from './preloads.js';

const SHARED_WIDTH = 640;

/** A store shows itself by its newest goods. */
export async function storePage(tools: PageTools, name: string): Promise<PageAnswer> {
  const { images, publicUrl } = tools;
  const catalogue = await tools.reader.open('catalogue');
  const store = await storeByName(catalogue, name);
  if (store === null) return notFoundPage(tools, 'There is no store of this name');

  const { businessName, newest, isSuspended } = store;
  const page = await catalogue.of('products').find({
    filter: [equal('shown', true), equal('sellerId', store.sellerId)],
    sort: descending('listedAt'),
    limit: 1,
  });
  const reference = page.items[0]?.document.images[0];
  const url = `${publicUrl}${storePath(businessName)}`;
  const place = newest === null ? '' : ` in ${newest.localGovt}, ${newest.state}`;
  const head = {
    title: `${businessName} | Oja`,
    description: `Everything that ${businessName} sells on Oja${place}. Your money is held until you confirm delivery.`,
    url,
    hidden: isSuspended,
    ...(reference === undefined
      ? {}
      : { image: { url: pictureAt(images.address(reference), SHARED_WIDTH), alt: businessName } }),
    jsonLd: { '@context': 'https://schema.org', '@type': 'Store', name: businessName, url },
  };
  return { status: 200, head };
}
