import type { Answer } from '../../answers/index.js';

/** What is told of one order. */
export type Story = Exclude<Answer<'trace'>, { readonly orders: unknown }>;

/** One thing that happened to an order, or was said of it. */
export type Told = Story['story'][number];
