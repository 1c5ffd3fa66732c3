import { refuse } from '@oja/platform';
import { pictures } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

/** Of removed goods too: old orders are shown with their pictures. */
export const productImages =
  ({ reader, images }: Tools): QueryHandler<'productImages'> =>
  async ({ params }) => {
    const document = await (await reader.open('catalogue')).of('products').get(params.productId);
    if (document === null) return refuse(404, 'No image with that product_id');
    return ok({ success: true, result: [{ image_urls: pictures(document, images).join(',') }] });
  };
