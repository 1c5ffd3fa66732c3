import {
  isRebuiltIfLost,
  NoRoom,
  ReadModelMissing,
  StoreUnavailable,
  UnreadableEvent,
  WrongMasterKey,
} from '@oja/platform';
import { CopyPoisoned } from '@oja/projector';
import { Exit, exitCodes, systemCodeOf } from './exit.js';
import { INTERRUPTED, Interrupted } from './interrupt.js';

export interface Outcome {
  readonly sentence: string;
  readonly code: number;
}

const NAMED_DAMAGE = /([a-z]+\.db) is damaged/;

/** Advice for a damaged database; '' when the message names none of ours. */
function damageAdvice(message: string): string {
  const name = NAMED_DAMAGE.exec(message)?.[1];
  if (name === undefined) return '';
  const steps = isRebuiltIfLost(name)
    ? `delete ${name}, ${name}-wal and ${name}-shm, and run oja start, which rebuilds what was in it`
    : 'keep a copy of the folder, and put back the newest backup with oja restore';
  return ` Stop the market, ${steps}: docs/operations.md says more under 'A file is damaged'.`;
}

/**
 * Advice for a server that does not answer, or a disk that is full; '' for any other error, and when a server has
 * refused. `watched`: the command asks again by itself.
 */
function unavailableAdvice(error: StoreUnavailable, watched: boolean): string {
  if (error instanceof NoRoom)
    return ` Make room on its disk${watched ? '' : ', then run the command again'}.`;
  return error.permanent || error.engine === 'SQLite'
    ? ''
    : ` See whether it runs and whether its address is right (oja config)${watched ? '; it is asked again' : ', then run the command again'}.`;
}

/** What an error of the operating system means; its own message where no advice is better than that. */
function systemErrorSentence(error: Error): string {
  const code = systemCodeOf(error);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  if ((code === 'EACCES' || code === 'EPERM') && path !== null)
    return `You may not use ${path} (${code}): run the command as a user who may, for instance with sudo, or name another place.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `There is no room left on the disk (${code}): make some, and run the same command again.`;
  if (code === 'EFBIG')
    return 'A file would have become larger than this process may write (EFBIG): raise the limit (ulimit -f), and run the same command again.';
  return `${error.message}.`;
}

/**
 * The message and exit code of an expected failure. `watched`: of a command that goes on and asks again by itself.
 * @throws any other error unchanged: it is a bug.
 */
export function toOutcome(error: unknown, { watched = false } = {}): Outcome {
  if (error instanceof Exit) return { sentence: error.message, code: error.code };
  if (error instanceof Interrupted) return { sentence: error.message, code: INTERRUPTED };
  if (error instanceof WrongMasterKey)
    return {
      sentence: `${error.message}: set the one that was set when this market was first opened, be it by a command (docs/deploy.md, 'Secrets').`,
      code: exitCodes.config,
    };
  if (error instanceof StoreUnavailable)
    return {
      // Some engines end their words with a full stop.
      sentence: `${error.message.replace(/\.+$/, '')}.${damageAdvice(error.message)}${unavailableAdvice(error, watched)}`,
      code: exitCodes.failed,
    };
  if (error instanceof ReadModelMissing)
    return {
      sentence: `${error.message}: wait until the market is open (oja status), then run the command again.`,
      code: exitCodes.failed,
    };
  if (error instanceof UnreadableEvent)
    return {
      sentence: `${error.message}. Either a later release has written it, which must then run this command, or the log is damaged: docs/operations.md says more under 'A file is damaged'.`,
      code: exitCodes.failed,
    };
  if (error instanceof CopyPoisoned)
    return { sentence: `${error.message}.`, code: exitCodes.failed };
  if (error instanceof Error && 'syscall' in error)
    return { sentence: systemErrorSentence(error), code: exitCodes.failed };
  throw error;
}
