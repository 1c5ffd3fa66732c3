import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { ReviewCommand } from './commands.js';
import { decideReview } from './decide.js';
import { type ReviewEvent, reviewEvents } from './events.js';
import { evolveReview, noReview, type ReviewState } from './evolve.js';

export type * from './commands.js';
export { type ReviewEvent, reviewEvents } from './events.js';
export type { ReviewState } from './evolve.js';

/** A review of the market. */
export const review = {
  category: 'review',
  schemaVersion: 1,
  initial: noReview,
  evolve: evolveReview,
  decide: decidingStrictly(reviewEvents, decideReview),
  parse: parserOf(reviewEvents),
} satisfies Decider<ReviewState, ReviewCommand, ReviewEvent>;
