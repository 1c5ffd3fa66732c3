import {
  type CommentDocument,
  reviews as model,
  RATINGS_ID,
  type ReviewsCollections,
} from '@oja/contracts/models';
import {
  type EventOf,
  operationsEvents,
  type ReviewEvent,
  reviewEvents,
  sellerEvents,
} from '@oja/domain';
import type { FanOut, Loaded } from '../runner/projection.js';
import { define, pick, put } from './define.js';
import { sellerIdOf } from './sellers.js';

const schemas = {
  ...reviewEvents,
  ...pick(sellerEvents, 'SellerProfileUpdated'),
  ...pick(operationsEvents, 'SubjectErased'),
};
type ReviewsEvent = EventOf<typeof schemas>;
type SellerChange = Exclude<ReviewsEvent, ReviewEvent>;

const none = { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0 } as const;
const bars = ['bar1', 'bar2', 'bar3', 'bar4', 'bar5'] as const;

/**
 * Comments carry the name that their seller has now: another seller may take the former one. Those of an erased seller
 * stay, but without a name.
 */
const sellerCommentsFanOut: FanOut<SellerChange, ReviewsCollections, 'comments'> = {
  events: ['SellerProfileUpdated', 'SubjectErased'],
  of({ event }) {
    const value = sellerIdOf(event);
    return value === null ? null : { collection: 'comments', where: { field: 'sellerId', value } };
  },
  change: (_, __, comment, documents) => ({ ...comment, businessName: nameOf(comment, documents) }),
};

/** The name that a comment carries. The order in which a review and the events of its seller are read does not matter. */
function nameOf(
  { sellerId, businessName }: Pick<CommentDocument, 'sellerId' | 'businessName'>,
  documents: Loaded<ReviewsCollections>,
): string | null {
  if (sellerId === null) return null;
  const changed = documents.get('names', sellerId);
  return changed === null ? businessName : changed.businessName;
}

/** Comments, and the number of reviews for each number of stars. */
export const reviews = define<ReviewsCollections>()({
  model,
  scope: 'shared',
  schemas,
  reads({ event }) {
    const sellerId = event.type === 'ReviewPosted' ? event.data.sellerId : sellerIdOf(event);
    return [
      ...(event.type === 'ReviewPosted'
        ? [{ collection: 'ratings', id: RATINGS_ID } as const]
        : []),
      ...(sellerId === null ? [] : [{ collection: 'names', id: sellerId } as const]),
    ];
  },
  project({ event, position }, documents) {
    if (event.type !== 'ReviewPosted') return renamed(event, documents);
    const { reviewId, sellerId, comment, stars, at } = event.data;
    const ratings = documents.get('ratings', RATINGS_ID) ?? none;
    const bar = bars[stars - 1];
    if (bar === undefined) throw new RangeError(`a review of ${stars} stars`);
    const businessName = nameOf(event.data, documents);
    const document = { reviewId, businessName, sellerId, text: comment, stars, at, position };
    return [
      put('comments', reviewId, document),
      put('ratings', RATINGS_ID, { ...ratings, [bar]: ratings[bar] + 1 }),
    ];
  },
  fanOut: sellerCommentsFanOut,
});

/** The name of an erased seller stays null even if an event with a name is read later. */
function renamed(event: SellerChange, documents: Loaded<ReviewsCollections>) {
  const sellerId = sellerIdOf(event);
  if (sellerId === null) return [];
  const isErased =
    event.type === 'SubjectErased' || documents.get('names', sellerId)?.businessName === null;
  return [put('names', sellerId, { businessName: isErased ? null : event.data.businessName })];
}
