import { shown } from '../calls/goods/filter.js';
import { descending } from '../models/reader.js';
import { isListed, pictures } from '../wire/goods.js';
import type { PageAnswer } from './head.js';
import type { PageTools } from './page.js';
import { DESCRIPTION } from './plain-pages.js';
import { cardPreload } from './preloads.js';

const trending = descending('trending', 'listedAt');

/** The first of the trending goods, as the page lists them. */
async function firstPicture({ reader, images }: PageTools): Promise<string | undefined> {
  const products = (await reader.open('catalogue')).of('products');
  const { items } = await products.find({ filter: [shown], sort: trending, limit: 1 });
  const first = items[0]?.document ?? null;
  return isListed(first) ? pictures(first, images)[0] : undefined;
}

export async function homePage(tools: PageTools): Promise<PageAnswer> {
  const { publicUrl } = tools;
  const url = `${publicUrl}/`;
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Oja',
    url,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${publicUrl}/search-items?query={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  };
  const head = { title: 'Oja, the market', description: DESCRIPTION, url, jsonLd };
  const preloads = cardPreload(await firstPicture(tools));
  return { status: 200, head: { ...head, preloads } };
}
