import { type Job, type Jobs, StoreUnavailable } from '@oja/platform';
import { expect } from 'vitest';
import type { Fixture } from './fixture.js';

/** A clock, in epoch milliseconds, that only the test moves. */
export interface TestClock {
  now(): number;
  /** Moves the clock on, and wakes the engines to check it. */
  move(milliseconds: number): void;
}

export interface JobsFixture extends Fixture<Jobs> {
  /** The clock of every engine that the fixture opens; null when this engine's time cannot be moved. */
  readonly clock: TestClock | null;
  /** How long a killed process keeps the lease of its job, in milliseconds. */
  readonly leaseMs: number;
  /** How many failed jobs the engine keeps. */
  readonly keepFailed: number;
}

export type MakeJobs = () => Promise<JobsFixture>;

/** A handler that records its jobs and lets a test wait for them. */
export function notingHandler(work: (job: Job) => Promise<void> = async () => {}): {
  readonly seen: Job[];
  handler(job: Job): Promise<void>;
  /** Resolves when this many jobs have started. */
  until(many: number): Promise<void>;
} {
  const seen: Job[] = [];
  const waiting: { many: number; resolve: () => void }[] = [];
  return {
    seen,
    handler(job) {
      seen.push(job);
      for (const { many, resolve } of waiting) if (seen.length >= many) resolve();
      return work(job);
    },
    until(many) {
      if (seen.length >= many) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ many, resolve }));
    },
  };
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Repeats `ask`, one turn of the event loop later each time, until `isWanted` accepts the answer. */
export async function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean) {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Adds large jobs until one is refused because the disk is full. Returns how many were acknowledged. */
export async function fill(jobs: Jobs): Promise<number> {
  for (let added = 0; ; added += 1) {
    try {
      await jobs.add('mail', { text: 'x'.repeat(4_000) }, { id: `job-${added}` });
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      return added;
    }
  }
}
