import { type ReadModel, sorted } from './model.js';

export type TimelineKind = 'transaction' | 'product' | 'seller';

/** One thing that happened; id: `<kind>/<subject>/<event>`. */
export type TimelineDocument = {
  readonly kind: TimelineKind;
  readonly subject: string;
  readonly eventId: string;
  readonly type: string;
  readonly position: string;
  readonly at: string;
  readonly actor: string;
  /** In words, never with a personal value. */
  readonly text: string;
};

export type TimelineCollections = { readonly entries: TimelineDocument };

export const timeline = {
  name: 'timeline',
  version: 2,
  collections: { entries: [sorted(['kind', 'subject'], ['position'])] },
} as const satisfies ReadModel<keyof TimelineCollections>;
