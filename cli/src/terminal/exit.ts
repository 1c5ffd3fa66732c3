import { StoreUnavailable, WrongMasterKey } from '@oja/platform';
import { CopyPoisoned } from '@oja/projector';
import { INTERRUPTED, Interrupted } from './interrupt.js';

/** What a process exits with; 78 is EX_CONFIG of sysexits: put the settings right and start again. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

/** Ends a command with one sentence for the person at the terminal; never a stack trace. */
export class Exit extends Error {
  override readonly name = 'Exit';
  constructor(
    readonly code: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

export const configExit = (sentence: string) => new Exit(exitCodes.config, sentence);

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
