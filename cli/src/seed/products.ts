import { nairaToKobo, product } from '@oja/domain';
import { streamOf } from '@oja/platform';
import type { SampleProduct } from '../samples/index.js';
import { decidedOf } from './decided.js';
import { sampleId } from './ids.js';
import type { SampleStream } from './writer.js';

export function productStream(
  sample: SampleProduct,
  sellerId: string,
  seeding: string,
  at: string,
): SampleStream {
  const productId = sampleId('product', seeding, sample.index);
  const attributes = Object.fromEntries(
    Object.entries(sample.attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const events = decidedOf(product, [
    {
      type: 'ListProduct',
      productId,
      sellerId,
      name: sample.prod_name,
      price: nairaToKobo(sample.priceNaira),
      description: sample.description,
      subcategoryId: sample.subcategoryId,
      state: sample.state,
      localGovt: sample.localGovt,
      condition: sample.condition ?? undefined,
      attributes,
      images: sample.images,
      at,
    },
  ]);
  return { stream: streamOf(product, productId), events, times: [at] };
}
