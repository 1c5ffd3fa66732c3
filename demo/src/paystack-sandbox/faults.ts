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
  'fail-transfer',
  'reverse-transfer',
  'end-transfer',
] as const;

type FaultKind = (typeof FAULTS)[number];

/** So often one webhook may be asked for at once. */
export const MOST_COPIES = 100;

/** What a test asks of `POST /control`. */
export const faultRequest = z.strictObject({
  fault: z.enum(FAULTS),
  /** Of a payment or transfer; left out: whatever comes next. */
  reference: z.string().min(1).max(200).optional(),
  /** How often it happens before all is well again. */
  times: z.int().min(1).max(100_000).default(1),
  /** For delay-webhook, late-success and end-transfer. */
  delayMs: z
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .default(60_000),
  /** For rate-limit. */
  retryAfterSeconds: z.int().min(0).max(3600).default(1),
  /** For duplicate-webhook: how many are sent in all. */
  copies: z.int().min(2).max(MOST_COPIES).default(2),
  /** For end-transfer: what becomes of it. */
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

/** The faults that wait to happen. They survive a restart, so a killed process stays as unlucky. */
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

    /** Whether this fault is due for this reference now; using it up by one. */
    take: async (kind: FaultKind, reference: string): Promise<Fault | null> =>
      (await takeOne(kind, reference)) ?? (await takeOne(kind, ANY)),
  };
}

export type Faults = ReturnType<typeof createFaults>;
