import { DAY_MS, MINUTE_MS } from '@oja/domain';
import type { Clock, State } from '@oja/platform';
import { z } from 'zod';
import { SPACE, TRANSFER_OUTCOMES } from './store.js';

/** Every way in which the sandbox can be told to misbehave. */
export const FAULTS = [
  'duplicate-webhook',
  'delay-webhook',
  'reorder-webhook',
  'drop-webhook',
  'rate-limit',
  'lost-answer',
  'late-success',
  'fail-refund',
  'stall-refund',
  'fail-transfer',
  'reverse-transfer',
  'end-transfer',
] as const;

type FaultKind = (typeof FAULTS)[number];

/** The most copies of one webhook that a single request may ask for. */
export const MOST_COPIES = 100;

/** Body of a `POST /control` that plans a fault. */
export const faultRequest = z.strictObject({
  fault: z.enum(FAULTS),
  /** Reference of a payment or transfer; without it the fault hits whatever comes next. */
  reference: z.string().min(1).max(200).optional(),
  /** How often the fault happens before calls succeed again. */
  times: z.int().min(1).max(100_000).default(1),
  /** For delay-webhook, late-success and end-transfer. */
  delayMs: z
    .int()
    .min(0)
    .max(7 * DAY_MS)
    .default(MINUTE_MS),
  /** For rate-limit. */
  retryAfterSeconds: z.int().min(0).max(3600).default(1),
  /** For duplicate-webhook: how many copies are sent in all. */
  copies: z.int().min(2).max(MOST_COPIES).default(2),
  /** For end-transfer: the transfer's outcome. */
  outcome: z.enum(TRANSFER_OUTCOMES).default('abandoned'),
});

type Fault = {
  readonly remaining: number;
  readonly delayMs: number;
  readonly retryAfterSeconds: number;
  readonly copies: number;
  readonly outcome?: (typeof TRANSFER_OUTCOMES)[number];
};

const ANY = '*';
const keyOf = (kind: FaultKind, reference: string): string => `fault:${kind}:${reference}`;

/** Planned faults that have not happened yet. They are kept in `State`, so they survive a restart. */
export function createFaults(state: State, clock: Clock) {
  async function takeOne(kind: FaultKind, reference: string): Promise<Fault | null> {
    const key = keyOf(kind, reference);
    for (;;) {
      const entry = await state.get<Fault>(SPACE, key, clock.now());
      if (entry === null) return null;
      const rest = { ...entry.value, remaining: entry.value.remaining - 1 };
      const taken =
        rest.remaining === 0
          ? await state.delete(SPACE, key, entry.version)
          : (await state.put(SPACE, key, rest, clock.now(), { if: entry.version })) !== null;
      if (taken) return entry.value;
    }
  }

  return {
    async plan(request: z.infer<typeof faultRequest>): Promise<void> {
      const { fault, reference = ANY, times, ...details } = request;
      const planned: Fault = { remaining: times, ...details };
      await state.put(SPACE, keyOf(fault, reference), planned, clock.now());
    },

    /** Uses up one occurrence of a fault planned for this reference, or else for any; null when none is. */
    take: async (kind: FaultKind, reference: string): Promise<Fault | null> =>
      (await takeOne(kind, reference)) ?? (await takeOne(kind, ANY)),
  };
}

export type Faults = ReturnType<typeof createFaults>;
