import { z } from 'zod';
import {
  aggregate,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  nothingToDo,
} from './decider.js';

/** What operators do to the market itself. */
export const operationsEvents = {
  ReplayRequested: z.object({ projection: z.string(), generation: z.number().int(), at: instant }),
  ReplaySwitched: z.object({
    projection: z.string(),
    from: z.number().int(),
    to: z.number().int(),
    at: instant,
  }),
  StreamQuarantined: z.object({
    projection: z.string(),
    stream: z.string(),
    reason: z.string(),
    at: instant,
  }),
  StreamReleased: z.object({
    projection: z.string(),
    stream: z.string(),
    how: z.enum(['retry', 'skip']),
    reason: z.string(),
    /** Revisions of the stream that are skipped for good. Every rebuild skips them too. */
    skipped: z.array(z.number().int()).optional(),
    at: instant,
  }),
  /**
   * `subject` is `transaction:<id>`, `seller:<id>` or `contact:<id>`. Its key must be destroyed,
   * and destroyed again after each restore from a backup.
   */
  SubjectErased: z.object({ subject: id, at: instant }),
};
export type OperationsEvent = EventOf<typeof operationsEvents>;

/** Records what an operator has already done. The domain does not judge it. */
interface OperationsCommand {
  readonly type: 'RecordOperation';
  readonly event: OperationsEvent;
}

/** `erased`: subjects whose keys must stay destroyed, whatever backup is restored. */
interface OperationsState {
  readonly erased: readonly string[];
}
const noOperations: OperationsState = { erased: [] };

function evolveOperations(state: OperationsState, event: OperationsEvent): OperationsState {
  return event.type === 'SubjectErased'
    ? { erased: [...new Set([...state.erased, event.data.subject])] }
    : state;
}

function decideOperations(
  { event }: OperationsCommand,
  state: OperationsState,
): Decision<OperationsEvent> {
  if (event.type === 'SubjectErased' && state.erased.includes(event.data.subject))
    return nothingToDo;
  return decided(event);
}

/** What operators do to the market itself. There is one such stream. */
export const operations = aggregate('operations', operationsEvents, {
  initial: noOperations,
  evolve: evolveOperations,
  decide: decideOperations,
});
