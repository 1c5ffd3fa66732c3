import { equality, newestFirst, type ReadModel } from './model.js';

/** Id: the review's. */
export type CommentDocument = {
  readonly reviewId: string;
  /** The name that the seller has now. Null for an anonymous review, or after its seller was erased. */
  readonly businessName: string | null;
  readonly sellerId: string | null;
  readonly text: string;
  /** 1 to 5. */
  readonly stars: number;
  readonly at: string;
  readonly position: string;
};

/** How many reviews gave each number of stars. Id: 'all'. There is no document before the first review. */
type RatingsDocument = {
  readonly bar1: number;
  readonly bar2: number;
  readonly bar3: number;
  readonly bar4: number;
  readonly bar5: number;
};

/** A seller who was renamed; null: erased. Id: the seller's. Separate, because the events come from other streams. */
type SellerNameDocument = { readonly businessName: string | null };

export type ReviewsCollections = {
  readonly comments: CommentDocument;
  readonly names: SellerNameDocument;
  readonly ratings: RatingsDocument;
};

export const RATINGS_ID = 'all';

export const reviews = {
  name: 'reviews',
  version: 3,
  collections: {
    comments: [newestFirst([], ['position']), equality('sellerId')],
    names: [],
    ratings: [],
  },
} as const satisfies ReadModel<keyof ReviewsCollections>;
