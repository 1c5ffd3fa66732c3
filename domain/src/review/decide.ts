import { type Decision, decided, refused } from '../decider.js';
import { conflict, invalidField } from '../refusal.js';
import { limits } from '../rules/limits.js';
import type { ReviewCommand } from './commands.js';
import type { ReviewEvent } from './events.js';
import type { ReviewState } from './evolve.js';

export function decideReview(command: ReviewCommand, state: ReviewState): Decision<ReviewEvent> {
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
