import { reviews as model, RATINGS_ID, type ReviewsCollections } from '@oja/contracts/models';
import { reviewEvents } from '@oja/domain';
import { define, put } from './define.js';

const none = { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0 } as const;
const bars = ['bar1', 'bar2', 'bar3', 'bar4', 'bar5'] as const;

/** Comments, and how many gave each number of stars. */
export const reviews = define<ReviewsCollections>()({
  model,
  scope: 'shared',
  schemas: reviewEvents,
  reads: () => [{ collection: 'ratings', id: RATINGS_ID }],
  project({ event, position }, documents) {
    const { reviewId, businessName, comment, stars, at } = event.data;
    const ratings = documents.get('ratings', RATINGS_ID) ?? none;
    const bar = bars[stars - 1];
    if (bar === undefined) throw new RangeError(`a review of ${stars} stars`);
    return [
      put('comments', reviewId, { reviewId, businessName, text: comment, stars, at, position }),
      put('ratings', RATINGS_ID, { ...ratings, [bar]: ratings[bar] + 1 }),
    ];
  },
});
