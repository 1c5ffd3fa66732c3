import type { BodyOf, Calls } from '@oja/contracts';

/** What a buyer sends: who they are, what they order, and what they agreed to pay. */
export type Checkout = BodyOf<Calls['initializeTransaction']>;
