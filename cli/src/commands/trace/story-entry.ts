import type { Answer } from '../../answers/index.js';

/** The whole answer of `oja trace` for one order. */
export type Story = Exclude<Answer<'trace'>, { readonly orders: unknown }>;

/** One entry in the story of an order. */
export type StoryEntry = Story['story'][number];
