import { StoreUnavailable, WrongMasterKey } from '@oja/platform';
import { CopyPoisoned } from '@oja/projector';
import { Exit, exitCodes } from './exit.js';
import { INTERRUPTED, Interrupted } from './interrupt.js';

export interface Outcome {
  readonly sentence: string;
  readonly code: number;
}

/** What is told of a failure that has a sentence of its own. @throws anything else: it is a bug. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof Exit) return { sentence: error.message, code: error.code };
  if (error instanceof Interrupted) return { sentence: error.message, code: INTERRUPTED };
  if (error instanceof WrongMasterKey)
    return { sentence: `${error.message}.`, code: exitCodes.config };
  if (error instanceof CopyPoisoned || error instanceof StoreUnavailable)
    return { sentence: `${error.message}.`, code: exitCodes.failed };
  // A folder that cannot be written, a disk that is full: told by the system in words of its own.
  if (error instanceof Error && 'syscall' in error)
    return { sentence: `${error.message}.`, code: exitCodes.failed };
  throw error;
}
