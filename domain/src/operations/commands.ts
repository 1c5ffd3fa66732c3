import type { OperationsEvent } from './events.js';

/** Operators' acts are facts as they are: nothing is decided about them here. */
export interface RecordOperation {
  readonly type: 'RecordOperation';
  readonly event: OperationsEvent;
}
export type OperationsCommand = RecordOperation;
