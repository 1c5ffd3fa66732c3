import { equality, newestFirst, type ReadModel } from './model.js';

/** Id: the review's. */
export type CommentDocument = {
  readonly reviewId: string;
  /** Null for an anonymous review, or after its seller was erased. */
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

/** An erased seller. Id: the seller's. */
type ErasureDocument = { readonly at: string };

export type ReviewsCollections = {
  readonly comments: CommentDocument;
  readonly erasures: ErasureDocument;
  readonly ratings: RatingsDocument;
};

export const RATINGS_ID = 'all';

export const reviews = {
  name: 'reviews',
  version: 2,
  collections: {
    comments: [newestFirst([], ['position']), equality('sellerId')],
    erasures: [],
    ratings: [],
  },
} as const satisfies ReadModel<keyof ReviewsCollections>;
