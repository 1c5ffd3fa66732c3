import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { OperationsCommand } from './commands.js';
import { decideOperations } from './decide.js';
import { type OperationsEvent, operationsEvents } from './events.js';
import { evolveOperations, noOperations, type OperationsState } from './evolve.js';

export type * from './commands.js';
export { type OperationsEvent, operationsEvents } from './events.js';
export type { OperationsState } from './evolve.js';

/** What operators do to the market itself; one stream. */
export const operations = {
  category: 'operations',
  schemaVersion: 1,
  initial: noOperations,
  evolve: evolveOperations,
  decide: decidingStrictly(operationsEvents, decideOperations),
  parse: parserOf(operationsEvents),
} satisfies Decider<OperationsState, OperationsCommand, OperationsEvent>;
