import { createHash } from 'node:crypto';
import {
  businessName,
  businessNameKey,
  type Decider,
  keySubject,
  nairaToKobo,
  product,
  review,
  seller,
} from '@oja/domain';
import { type DomainEvent, type Sealer, streamOf } from '@oja/platform';
import { v5 } from 'uuid';
import type { SampleProduct, SampleReview, SampleSeller } from '../samples/types.js';

/** Made once at random; ids of samples are derived under it, so that seeding again adds nothing. */
const NAMESPACE = '0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a';

const derived = (...parts: readonly (string | number)[]) => v5(parts.join('/'), NAMESPACE);

/** A sample seller is the same in every seed that has them. */
export const sampleSellerId = (businessName: string) =>
  derived('seller', businessNameKey(businessName));

type SampleKind = 'product' | 'order' | 'review';

/** `seeding` names a size and a seed: of another size, the same index is another thing. */
export const sampleId = (kind: SampleKind, seeding: string, index: number) =>
  derived(kind, seeding, index);

/** The command that made a stream's first events. */
export const sampleCommandId = (stream: string) => derived('command', stream);

/** A stream that samples begin, with the moment its first event is said to have happened. */
export interface SampleStream {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  /** ISO 8601, one for each event. */
  readonly times: readonly string[];
}

/**
 * What these commands make of an instance that was not there: samples go through the same rules as
 * anything a person does. @throws where a rule refuses one: the generator made something impossible.
 */
export function decidedOf<S, C, E>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
): readonly E[] {
  let state = decider.initial;
  const events: E[] = [];
  for (const command of commands) {
    const decision = decider.decide(command, state);
    if (!decision.ok) throw new Error(`a sample was refused: ${JSON.stringify(decision.refusal)}`);
    for (const event of decision.events) {
      state = decider.evolve(state, event);
      events.push(event);
    }
  }
  return events;
}

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
  const { name, phone } = await sealer.seal(keySubject('seller', sellerId), sellerStream, {
    name: sample.name,
    phone: sample.phone_1,
  });
  const claimed = decidedOf(businessName, [
    { type: 'ClaimName', nameKey, businessName: sample.businessName, sellerId, at },
  ]);
  const registered = decidedOf(seller, [
    { type: 'RegisterSeller', claim: 1, sellerId, businessName: sample.businessName, name, phone },
  ]);
  return [
    { stream: nameStream, events: claimed, times: [at] },
    { stream: sellerStream, events: registered, times: [at] },
  ];
}

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

export function reviewStream(sample: SampleReview, seeding: string, at: string): SampleStream {
  const { businessName, comment_text: comment, stars } = sample;
  const reviewId = sampleId('review', seeding, sample.index);
  const by = businessName ? { sellerId: sampleSellerId(businessName), businessName } : null;
  const events = decidedOf(review, [{ type: 'PostReview', reviewId, by, comment, stars, at }]);
  return { stream: streamOf(review, reviewId), events, times: [at] };
}
