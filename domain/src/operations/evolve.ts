import type { OperationsEvent } from './events.js';

/** Subjects whose keys are to stay destroyed, whatever backup is restored. */
export interface OperationsState {
  readonly erased: readonly string[];
}
export const noOperations: OperationsState = { erased: [] };

export function evolveOperations(state: OperationsState, event: OperationsEvent): OperationsState {
  return event.type === 'SubjectErased'
    ? { erased: [...new Set([...state.erased, event.data.subject])] }
    : state;
}
