import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { review } from './review.js';

const post = {
  type: 'PostReview',
  reviewId: 'r',
  by: null,
  comment: ' Came in a day ',
  stars: 5,
  at: '2026-03-01T08:00:00.000Z',
} as const;

describe('a review', () => {
  it('is posted once, anonymous unless a seller signs it', () => {
    given(review)
      .when(post)
      .thenHappens({
        type: 'ReviewPosted',
        data: { businessName: null, comment: 'Came in a day' },
      });
    given(review)
      .when({ ...post, by: { sellerId: 'ada', businessName: 'Ada Stores' } })
      .thenHappens({ type: 'ReviewPosted', data: { businessName: 'Ada Stores', sellerId: 'ada' } });
    given(review, post).when(post).thenRefused({ code: 'posted' });
  });

  it.each([
    ['comment_text', { comment: ' ' }],
    ['comment_text', { comment: 'a'.repeat(1_001) }],
    ['ratingData', { stars: 0 }],
    ['ratingData', { stars: 6 }],
    ['ratingData', { stars: 2.5 }],
  ])('with a wrong %s is refused (%#)', (field, wrong) => {
    given(review)
      .when({ ...post, ...wrong })
      .thenRefused({ kind: 'invalid', errors: { [field]: expect.any(String) } });
  });
});
