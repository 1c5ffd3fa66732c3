import { InvalidJob } from './errors.js';
import type { JobOptions } from './port.js';

/** What a job and a queue are where the caller says nothing else. */
export const defaults = {
  attempts: 8,
  backoffMs: 1_000,
  leaseMs: 15_000,
  keepDone: 10_000,
  keepFailed: 1_000,
};

/** A day. */
const longestWaitMs = 86_400_000;

/** Before the try after this one, in milliseconds. */
export const waitAfter = (attempt: number, backoffMs: number): number =>
  Math.min(backoffMs * 2 ** (attempt - 1), longestWaitMs);

/** A job's options with nothing left out. @throws InvalidJob */
export function completeOptions(queue: string, options: JobOptions): Required<JobOptions> {
  const { id, delayMs = 0, ...rest } = options;
  const { attempts = defaults.attempts, backoffMs = defaults.backoffMs } = rest;
  checkName('queue', queue);
  checkName('job id', id);
  checkNumber('attempts', attempts, 1);
  checkNumber('backoffMs', backoffMs, 0);
  checkNumber('delayMs', delayMs, 0);
  return { id, delayMs, attempts, backoffMs };
}

/** @throws InvalidJob */
export function checkWork(queue: string, concurrency: number): void {
  checkName('queue', queue);
  checkNumber('concurrency', concurrency, 1);
}

/** Redis refuses ':' in names, so no engine takes it. */
function checkName(what: string, name: string): void {
  if (name === '' || name.includes(':')) throw new InvalidJob(`'${name}' cannot be a ${what}`);
}

function checkNumber(what: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidJob(`${what} must be a whole number from ${least}, not ${value}`);
  }
}
