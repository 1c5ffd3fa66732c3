import { z } from 'zod';
import {
  aggregate,
  conflict,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  invalidField,
  refused,
} from './decider.js';
import { limits } from './rules/limits.js';

export const reviewEvents = {
  ReviewPosted: z.object({
    reviewId: id,
    /** Null for an anonymous review. */
    businessName: z.string().nullable(),
    sellerId: id.nullable(),
    comment: z.string().min(1),
    stars: z.number().int().min(1).max(5),
    at: instant,
  }),
};
export type ReviewEvent = EventOf<typeof reviewEvents>;

export interface ReviewCommand {
  readonly type: 'PostReview';
  readonly reviewId: string;
  /** The signed-in seller who signs the review; null for an anonymous review. */
  readonly by: { readonly sellerId: string; readonly businessName: string } | null;
  readonly comment: string;
  readonly stars: number;
  readonly at: string;
}

type ReviewState = { readonly status: 'none' | 'posted' };
const noReview: ReviewState = { status: 'none' };

function evolveReview(_: ReviewState, event: ReviewEvent): ReviewState {
  switch (event.type) {
    case 'ReviewPosted':
      return { status: 'posted' };
  }
}

function decideReview(command: ReviewCommand, state: ReviewState): Decision<ReviewEvent> {
  if (state.status === 'posted')
    return refused(conflict('posted', 'This review is posted already'));
  const { reviewId, by, stars, at } = command;
  const comment = command.comment.trim();
  if (comment === '') return refused(invalidField('comment_text', 'Please enter your comment'));
  if ([...comment].length > limits.comment.max)
    return refused(invalidField('comment_text', `maximum of ${limits.comment.max} characters`));
  if (!Number.isInteger(stars) || stars < 1 || stars > 5)
    return refused(invalidField('ratingData', 'choose one star, from 1 to 5'));
  return decided({
    type: 'ReviewPosted',
    data: {
      reviewId,
      businessName: by?.businessName ?? null,
      sellerId: by?.sellerId ?? null,
      comment,
      stars,
      at,
    },
  });
}

/** A visitor's or seller's review of the market as a whole. */
export const review = aggregate('review', reviewEvents, {
  initial: noReview,
  evolve: evolveReview,
  decide: decideReview,
});
