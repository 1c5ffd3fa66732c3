import type { ReviewEvent } from './events.js';

export type ReviewState = { readonly status: 'none' | 'posted' };
export const noReview: ReviewState = { status: 'none' };

export function evolveReview(_: ReviewState, event: ReviewEvent): ReviewState {
  switch (event.type) {
    case 'ReviewPosted':
      return { status: 'posted' };
  }
}
