import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { BusinessNameCommand } from './commands.js';
import { decideBusinessName } from './decide.js';
import { type BusinessNameEvent, businessNameEvents } from './events.js';
import { type BusinessNameState, evolveBusinessName, noBusinessName } from './evolve.js';

export type * from './commands.js';
export { nameTaken } from './decide.js';
export { type BusinessNameEvent, businessNameEvents } from './events.js';
export type { BusinessNameState } from './evolve.js';

/** The reservation of a business name; the stream is named by the hash of its key. */
export const businessName = {
  category: 'businessName',
  schemaVersion: 1,
  initial: noBusinessName,
  evolve: evolveBusinessName,
  decide: decidingStrictly(businessNameEvents, decideBusinessName),
  parse: parserOf(businessNameEvents),
} satisfies Decider<BusinessNameState, BusinessNameCommand, BusinessNameEvent>;
