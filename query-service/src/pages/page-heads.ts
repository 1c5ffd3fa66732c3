import { calls } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import { categoryPath, pagePaths, productPath, storePath } from '@oja/contracts/pages';
import {
  categoryByName,
  formatNaira,
  koboToNaira,
  limits,
  subcategoryByName,
} from '@oja/domain/rules';
import { shown } from '../calls/goods/search-products.js';
import type { QueryServiceDeps } from '../deps.js';
import { descending, equal, type Reader, storeByName } from '../read-models.js';
import { isListed, type ListedProduct, pictures } from '../wire/goods.js';
import type { Head, PageAnswer, Preload } from './head-tags.js';

/** What the heads of pages are made from. */
export interface PageTools extends Pick<QueryServiceDeps, 'images' | 'publicUrl'> {
  readonly reader: Reader;
  /** The path of the request, still encoded. */
  readonly path: string;
}

/** `params`: the decoded path parameters, in the order of the address. */
export type Page = (
  tools: PageTools,
  ...params: readonly string[]
) => PageAnswer | Promise<PageAnswer>;

const PROMISE = 'Your money is held until you confirm delivery.';
/** The description of pages that have none of their own. */
const DESCRIPTION = `Many sellers, one market. ${PROMISE}`;

/** A page whose content only the web app knows. */
export const plainPage =
  (title: string, options: { readonly hidden?: boolean; readonly description?: string } = {}) =>
  ({ publicUrl, path }: PageTools): PageAnswer => ({
    status: 200,
    head: {
      title: `${title} | Oja`,
      description: options.description ?? DESCRIPTION,
      url: `${publicUrl}${path}`,
      hidden: options.hidden ?? false,
    },
  });

/** Takes the names as they are in addresses. A subcategory is found only under its own category. */
export function categoryPage(tools: PageTools, name: string, subcategory?: string): PageAnswer {
  const category = categoryByName(name);
  const shelf = subcategory === undefined ? null : subcategoryByName(subcategory);
  if (category === null || (subcategory !== undefined && shelf?.category !== category.name)) {
    return notFoundPage(tools, 'There is no such category');
  }
  const names = [category.name, ...(shelf === null ? [] : [shelf.name])];
  const title = names.at(-1) ?? category.name;
  return {
    status: 200,
    head: {
      title: `${title} | Oja`,
      description: `${title} from many sellers on Oja. ${PROMISE}`,
      url: `${tools.publicUrl}${categoryPath(category.name, shelf?.name)}`,
    },
  };
}

/** The web app is served as well, and says in its own words what is missing. */
export const notFoundPage = (
  { publicUrl, path }: PageTools,
  description = 'There is no such page on Oja.',
): PageAnswer => ({
  status: 404,
  head: {
    title: 'Not found | Oja',
    description,
    url: `${publicUrl}${path}`,
    hidden: true,
  },
});

/** How wide the first visible pictures are shown. Must equal `sizes` in the web app. */
const GALLERY_SIZES = '(min-width: 768px) 600px, 100vw';

const CARD_SIZES =
  '(min-width: 1170px) 240px, (min-width: 992px) 25vw, (min-width: 640px) 33vw, 44vw';

/** The widths that Oja's own image host offers. Must equal those in `srcset` in the web app. */
const WIDTHS = [320, 640] as const;

/** The address of a picture at a width; unchanged when its host offers no other width. */
const pictureAt = (address: string, width: number): string =>
  /\/v1\/image\/[^/?#]+$/.test(address) ? `${address}?w=${width}` : address;

/** Preloads the large picture of a product's page. */
const galleryPreload = (address: string | undefined): readonly Preload[] =>
  picturePreload(address, GALLERY_SIZES);

/** Preloads the picture of the first card on the home page. */
const cardPreload = (address: string | undefined): readonly Preload[] =>
  picturePreload(address, CARD_SIZES);

function picturePreload(address: string | undefined, sizes: string): readonly Preload[] {
  if (address === undefined || pictureAt(address, WIDTHS[0]) === address) return [];
  return [
    {
      as: 'image',
      href: pictureAt(address, WIDTHS[0]),
      imagesrcset: WIDTHS.map((width) => `${pictureAt(address, width)} ${width}w`).join(', '),
      imagesizes: sizes,
      fetchpriority: 'high',
    },
  ];
}

const trending = descending('trending', 'listedAt');

/** The first picture of the home page's list, which starts after the goods of the carousel if there are more. */
async function firstPicture({ reader, images }: PageTools): Promise<string | undefined> {
  const products = (await reader.open('catalogue')).of('products');
  const { items } = await products.find({
    filter: [shown],
    sort: trending,
    limit: limits.carousel.size + 1,
  });
  const first = (items[limits.carousel.size] ?? items[0])?.document ?? null;
  return isListed(first) ? pictures(first, images)[0] : undefined;
}

export async function homePage(tools: PageTools): Promise<PageAnswer> {
  const { publicUrl } = tools;
  const url = `${publicUrl}${pagePaths.home}`;
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Oja',
    url,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${publicUrl}${pagePaths.search}?query={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  };
  const head = { title: 'Oja, the market', description: DESCRIPTION, url, jsonLd };
  const preloads = cardPreload(await firstPicture(tools));
  return { status: 200, head: { ...head, preloads } };
}

/** The width of the picture in a link preview, in pixels. */
const SHARED_WIDTH = 640;

/** The page of a store. Its picture is that of its newest product. */
export async function storePage(tools: PageTools, name: string): Promise<PageAnswer> {
  const { images, publicUrl } = tools;
  const catalogue = await tools.reader.open('catalogue');
  const store = await storeByName(catalogue, name);
  if (store === null) return notFoundPage(tools, 'There is no store of this name');

  const { businessName, newest, isSuspended } = store;
  const page = await catalogue.of('products').find({
    filter: [shown, equal('sellerId', store.sellerId)],
    sort: descending('listedAt'),
    limit: 1,
  });
  const reference = page.items[0]?.document.images[0];
  const url = `${publicUrl}${storePath(businessName)}`;
  const place = newest === null ? '' : ` in ${newest.localGovt}, ${newest.state}`;
  const head = {
    title: `${businessName} | Oja`,
    description: `Everything that ${businessName} sells on Oja${place}. ${PROMISE}`,
    url,
    hidden: isSuspended,
    ...(reference === undefined
      ? {}
      : { image: { url: pictureAt(images.address(reference), SHARED_WIDTH), alt: businessName } }),
    jsonLd: { '@context': 'https://schema.org', '@type': 'Store', name: businessName, url },
  };
  return { status: 200, head };
}

/** How much of a description a link preview shows, in characters. */
const SHOWN = 200;

/** The text on one line, cut between words. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= SHOWN) return line;
  const space = characters.lastIndexOf(' ', SHOWN - 1);
  return `${characters.slice(0, Math.max(space, SHOWN / 2)).join('')}…`;
}

function jsonLd(product: ListedProduct, images: readonly string[], urls: Urls) {
  const { brand } = product.attributes;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: product.description,
    image: images,
    sku: product.productId,
    category: `${product.category} > ${product.subcategory}`,
    ...(brand === undefined ? {} : { brand: { '@type': 'Brand', name: String(brand) } }),
    offers: {
      '@type': 'Offer',
      url: urls.product,
      price: koboToNaira(product.price),
      priceCurrency: 'NGN',
      itemCondition: `https://schema.org/${product.shownCondition}Condition`,
      availability: `https://schema.org/${product.shown && product.stock !== 0 ? 'InStock' : 'OutOfStock'}`,
      seller: { '@type': 'Organization', name: product.businessName, url: urls.store },
    },
  };
}

interface Urls {
  readonly product: string;
  readonly store: string;
}

function headOf(product: ListedProduct, { images, publicUrl }: PageTools): Head {
  const addresses = pictures(product, images);
  const [title] = addresses;
  const urls = {
    product: `${publicUrl}${productPath({
      subcategory_id: product.subcategoryId,
      product_id: product.productId,
    })}`,
    store: `${publicUrl}${storePath(product.businessName)}`,
  };
  const facts = `${formatNaira(product.price)}, ${product.localGovt}, ${product.state}.`;
  return {
    title: `${product.name} | Oja`,
    description: shortened(`${facts} ${product.description}`),
    url: urls.product,
    type: 'product',
    price: koboToNaira(product.price),
    ...(title === undefined
      ? {}
      : { image: { url: pictureAt(title, SHARED_WIDTH), alt: product.name } }),
    jsonLd: jsonLd(product, addresses, urls),
    hidden: !product.shown,
    preloads: galleryPreload(title),
  };
}

/** The page of a product. Products that no list shows have one, too, but search engines must not list it. */
export async function productPage(tools: PageTools, productId: string): Promise<PageAnswer> {
  const asked = calls.getProduct.params.safeParse({ id: productId });
  const products = (await tools.reader.open('catalogue')).of('products');
  const document: ProductDocument | null = asked.success ? await products.get(asked.data.id) : null;
  if (!isListed(document)) return notFoundPage(tools, 'This product does not exist');
  return { status: 200, head: headOf(document, tools) };
}
