import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { SellerCommand } from './commands.js';
import { decideSeller } from './decide.js';
import { type SellerEvent, sellerEvents } from './events.js';
import { evolveSeller, noSeller, type SellerState } from './evolve.js';

export type * from './commands.js';
export { type SellerEvent, sellerEvents } from './events.js';
export type { SellerState } from './evolve.js';

/** A seller: who they are, what they may do. */
export const seller = {
  category: 'seller',
  schemaVersion: 1,
  initial: noSeller,
  evolve: evolveSeller,
  decide: decidingStrictly(sellerEvents, decideSeller),
  parse: parserOf(sellerEvents),
} satisfies Decider<SellerState, SellerCommand, SellerEvent>;
