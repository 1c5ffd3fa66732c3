import { reviews as model, RATINGS_ID, type ReviewsCollections } from '@oja/contracts/models';
import { type EventOf, operationsEvents, reviewEvents, subjectId } from '@oja/domain';
import type { FanOut } from '../runner/projection.js';
import { define, put } from './define.js';

const { SubjectErased } = operationsEvents;
const schemas = { ...reviewEvents, SubjectErased };
type Erased = EventOf<Pick<typeof schemas, 'SubjectErased'>>;

const none = { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0 } as const;
const bars = ['bar1', 'bar2', 'bar3', 'bar4', 'bar5'] as const;

/** The comments of an erased seller stay, but without a name. */
const commentsOfSeller: FanOut<Erased, ReviewsCollections, 'comments'> = {
  events: ['SubjectErased'],
  of({ event }) {
    const value = subjectId('seller', event.data.subject);
    return value === null ? null : { collection: 'comments', where: { field: 'sellerId', value } };
  },
  change: (_, __, comment) => ({ ...comment, businessName: null }),
};

/** Comments, and the number of reviews for each number of stars. */
export const reviews = define<ReviewsCollections>()({
  model,
  scope: 'shared',
  schemas,
  reads({ event }) {
    if (event.type === 'SubjectErased') return [];
    const { sellerId } = event.data;
    const ratings = { collection: 'ratings', id: RATINGS_ID } as const;
    return sellerId === null ? [ratings] : [ratings, { collection: 'erasures', id: sellerId }];
  },
  project({ event, position }, documents) {
    if (event.type === 'SubjectErased') {
      const { subject, at } = event.data;
      const erased = subjectId('seller', subject);
      return erased === null ? [] : [put('erasures', erased, { at })];
    }
    const { reviewId, sellerId, comment, stars, at } = event.data;
    const ratings = documents.get('ratings', RATINGS_ID) ?? none;
    const bar = bars[stars - 1];
    if (bar === undefined) throw new RangeError(`a review of ${stars} stars`);
    const isNameless = sellerId === null || documents.get('erasures', sellerId) !== null;
    const businessName = isNameless ? null : event.data.businessName;
    const document = { reviewId, businessName, sellerId, text: comment, stars, at, position };
    return [
      put('comments', reviewId, document),
      put('ratings', RATINGS_ID, { ...ratings, [bar]: ratings[bar] + 1 }),
    ];
  },
  fanOut: commentsOfSeller,
});
