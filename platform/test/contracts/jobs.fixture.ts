import { type Job, type Jobs, StoreUnavailable } from '@oja/platform';
import { expect } from 'vitest';
import type { Fixture } from './fixture.js';

/** Epoch milliseconds that a test moves itself. */
export interface TestClock {
  now(): number;
  /** Moves the clock, and lets the engine look at it. */
  move(milliseconds: number): void;
}

export interface JobsFixture extends Fixture<Jobs> {
  /** Of every engine that the fixture opens. Null: this engine's time cannot be moved. */
  readonly clock: TestClock | null;
  /** How long a killed process keeps its job, in milliseconds. */
  readonly leaseMs: number;
  /** How many failed jobs are remembered. */
  readonly keepFailed: number;
}

export type MakeJobs = () => Promise<JobsFixture>;

/** A handler that notes its jobs, and lets a test wait for them. */
export function notingHandler(work: (job: Job) => Promise<void> = async () => {}): {
  readonly seen: Job[];
  handler(job: Job): Promise<void>;
  /** Resolves once so many have been begun. */
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

/** A promise and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Asks again, whenever other work has had its turn, until the answer is what is wanted. */
export async function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean) {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Adds heavy jobs until one is refused for want of room; how many were acknowledged before. */
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
