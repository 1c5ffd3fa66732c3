import { setTimeout as wait } from 'node:timers/promises';
import {
  type ObligationDocument,
  type ObligationKind,
  obligations,
  readModels,
} from '@oja/contracts/models';
import { eachDocument, eachEntry } from '@oja/platform';
import type { MovingClock } from './clock.js';
import type { Engines } from './engines.js';
import type { Roles } from './roles.js';

const HOUR_MS = 3_600_000;
/** A refund is retried after an hour; a payment is checked again after up to three days. */
const STEP_MS = 65 * 60_000;
const LEAP_MS = 25 * HOUR_MS;
const LEAP_EVERY = 3;
const ROUNDS = 40;
/** The clock moves on once nothing has changed for this long; a round takes at most this long. */
const STILL_MS = 2_500;
const ROUND_MS = 120_000;
const POLL_MS = 200;
const KINDS = ['payment-check', 'order-expiry', 'refund', 'payout', 'release-name'] as const;

/** What is still to be done, by names that can be looked up. */
export async function leftToDo(engines: Engines, now: number): Promise<readonly string[]> {
  const { log, documents, state } = engines;
  const left: string[] = [];
  const head = await log.head();
  if (head !== null) {
    const caughtUp = await engines.readModels.waitFor(Object.values(readModels), head, ROUND_MS);
    if (!caughtUp) left.push('the read models');
  }
  for await (const { key } of eachEntry(state, 'webhooks', 'todo/', now)) left.push(key);
  for await (const { key } of eachEntry(state, 'payment-sandbox', 'due:', now)) left.push(key);
  const due = await engines.readModels.liveCollection(obligations, 'due');
  const owed = (kind: ObligationKind) => {
    const filter = [{ field: 'kind', op: 'eq', value: kind }] as const;
    const sort = [{ field: 'due', order: 'asc' }] as const;
    return eachDocument<ObligationDocument>(documents, due, { filter, sort });
  };
  // While a dispute is open at the provider, the payouts of its order wait, however long it takes.
  const disputed = new Set<string>();
  for await (const { document } of owed('dispute-check')) disputed.add(document.subject);
  const waits = ({ kind, subject, dueTimes }: ObligationDocument): boolean =>
    (kind === 'payout' && disputed.has(subject)) ||
    // Of a paid order that was begun twice, it stays until the order is closed. `order-expiry` tells of all others.
    (kind === 'payment-check' && Date.parse(dueTimes?.at(-1) ?? '') <= now);
  for (const kind of KINDS)
    for await (const { id, document } of owed(kind)) if (!waits(document)) left.push(id);
  return left;
}

/** Resolves once nothing is left, or nothing changes any more without time passing. */
async function untilStill(engines: Engines, clock: MovingClock): Promise<readonly string[]> {
  const until = performance.now() + ROUND_MS;
  let left = await leftToDo(engines, clock.now());
  let changedAt = performance.now();
  while (left.length > 0 && performance.now() < until && performance.now() < changedAt + STILL_MS) {
    await wait(POLL_MS);
    const now = await leftToDo(engines, clock.now());
    if (now.join() !== left.join()) changedAt = performance.now();
    left = now;
  }
  return left;
}

/**
 * Moves the clock on, with a kill of command-service in each round, until nothing is left to do.
 * `eachRound` does what people do meanwhile; it resolves to whether they are done. Returns what is
 * left after the last round.
 */
export async function settle(
  engines: Engines,
  roles: Roles,
  clock: MovingClock,
  eachRound: () => Promise<boolean>,
): Promise<readonly string[]> {
  let left: readonly string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const isQuiet = await eachRound();
    left = await untilStill(engines, clock);
    if (left.length === 0 && isQuiet) return [];
    clock.pass(round % LEAP_EVERY === 0 ? LEAP_MS : STEP_MS);
    // A service sweeps as it starts; by the moved clock the lease of the killed one has expired.
    await roles.killAndRestart('command-service');
  }
  return left;
}
