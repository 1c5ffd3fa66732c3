import { review } from '@oja/domain';
import { streamOf } from '@oja/platform';
import type { SampleReview } from '../samples/index.js';
import { decidedOf } from './decided.js';
import { sampleId, sampleSellerId } from './ids.js';
import type { SampleStream } from './writer.js';

export function reviewStream(sample: SampleReview, seeding: string, at: string): SampleStream {
  const { businessName, comment_text: comment, stars } = sample;
  const reviewId = sampleId('review', seeding, sample.index);
  const by = businessName ? { sellerId: sampleSellerId(businessName), businessName } : null;
  const events = decidedOf(review, [{ type: 'PostReview', reviewId, by, comment, stars, at }]);
  return { stream: streamOf(review, reviewId), events, times: [at] };
}
