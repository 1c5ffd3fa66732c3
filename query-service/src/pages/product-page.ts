import { calls } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import { productPath, storePath } from '@oja/contracts/pages';
import { formatNaira, koboToNaira } from '@oja/domain/rules';
import { isListed, type ListedProduct, pictures } from '../wire/goods.js';
import type { Head, PageAnswer } from './head.js';
import type { PageTools } from './page.js';
import { notFoundPage } from './plain-pages.js';
import { galleryPreload, pictureAt } from './preloads.js';
import { shortened } from './words.js';

/** What those who show a shared link take in, in pixels. */
const SHARED_WIDTH = 640;

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

/** Also of goods that are in no list just now; they are kept from search engines. */
export async function productPage(tools: PageTools, productId: string): Promise<PageAnswer> {
  const asked = calls.getProduct.params.safeParse({ id: productId });
  const products = (await tools.reader.open('catalogue')).of('products');
  const document: ProductDocument | null = asked.success ? await products.get(asked.data.id) : null;
  if (!isListed(document)) return notFoundPage(tools, 'This product does not exist');
  return { status: 200, head: headOf(document, tools) };
}
