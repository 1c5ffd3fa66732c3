import { type Decision, decided, nothingToDo } from '../decider.js';
import type { OperationsCommand } from './commands.js';
import type { OperationsEvent } from './events.js';
import type { OperationsState } from './evolve.js';

export function decideOperations(
  { event }: OperationsCommand,
  state: OperationsState,
): Decision<OperationsEvent> {
  if (event.type === 'SubjectErased' && state.erased.includes(event.data.subject))
    return nothingToDo;
  return decided(event);
}
