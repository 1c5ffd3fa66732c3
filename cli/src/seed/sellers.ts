import { createHash } from 'node:crypto';
import { businessName, businessNameKey, seller } from '@oja/domain';
import { type Sealer, streamOf } from '@oja/platform';
import type { SampleSeller } from '../samples/index.js';
import { decidedOf } from './decided.js';
import { sampleSellerId } from './ids.js';
import type { SampleStream } from './writer.js';

/** The reservation of the name, then the seller: as a registration writes them. */
export async function sellerStreams(
  sample: SampleSeller,
  at: string,
  sealer: Sealer,
): Promise<readonly SampleStream[]> {
  const sellerId = sampleSellerId(sample.businessName);
  const nameKey = businessNameKey(sample.businessName);
  const nameStream = streamOf(businessName, createHash('sha256').update(nameKey).digest('hex'));
  const sellerStream = streamOf(seller, sellerId);
  const { name, phone } = await sealer.seal(`seller:${sellerId}`, sellerStream, {
    name: sample.name,
    phone: sample.phone_1,
  });
  const claimed = decidedOf(businessName, [
    { type: 'ClaimName', nameKey, businessName: sample.businessName, sellerId, at },
  ]);
  const registered = decidedOf(seller, [
    { type: 'RegisterSeller', sellerId, businessName: sample.businessName, name, phone },
  ]);
  return [
    { stream: nameStream, events: claimed, times: [at] },
    { stream: sellerStream, events: registered, times: [at] },
  ];
}
