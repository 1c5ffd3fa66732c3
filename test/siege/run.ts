import { setTimeout as wait } from 'node:timers/promises';
import { createAsker } from './ask.js';
import { createHonestPeople, type HonestPeople, type Met } from './honest.js';
import { createBesiegers } from './hostile.js';
import { type Besieged, type Holding, openBesieged } from './market.js';

/** As long as the market takes to close the slowest held socket. */
const LONGEST_HOLD_MS = 170_000;
const HONEST_CONNECTIONS = 8;
const HOSTILE_CONNECTIONS = 64;

/** The growth allowed after the siege, and how much slower a busy machine may have become. */
const MORE_SOCKETS = 12;
const MORE_HEAP_MB = 60;
const MORE_MEMORY_MB = 200;
const SLOWER = 2;
const SLOWER_MS = 30;
/** Percent of honest requests under attack that may fail. */
const MOST_FAILED_PERCENT = 1;

export interface SiegeOptions {
  readonly duringMs: number;
  /** Duration of honest traffic alone, before and after. */
  readonly calmMs: number;
  /** Whether to wait until the market has closed all held sockets. */
  readonly waitsForHolders: boolean;
  say(line: string): void;
}

/** A period as honest people experienced it; p50 and p99 in milliseconds. */
export interface Stretch extends Holding, Omit<Met, 'took'> {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Outcome {
  readonly before: Stretch;
  readonly during: Stretch;
  readonly after: Stretch;
  /** How often each status answered an attack; status 0: no answer. */
  readonly answers: ReadonlyMap<number, number>;
  /** What did not return to its old level; empty if the market withstood the siege. */
  readonly wrong: readonly string[];
}

async function stretch(people: HonestPeople, market: Besieged, ms: number): Promise<Stretch> {
  const { took, ...met } = await people.liveFor(ms);
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  const held = await market.holding();
  return { ...held, ...met, requests: took.length, p50: at(0.5), p99: at(0.99) };
}

function inWords(name: string, of: Stretch): string {
  const cells = [
    `${of.sockets} sockets`,
    `${of.heap} MB of heap, ${of.memory} MB in all`,
    `p50 ${of.p50} ms, p99 ${of.p99} ms`,
    `${of.orders} orders, ${of.uploads} pictures`,
    `${of.failed.length} of ${of.requests} honest requests failed`,
  ];
  return `${name.padEnd(8)} ${cells.join('; ')}`;
}

function whatIsWrong(before: Stretch, during: Stretch, after: Stretch): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [after.sockets > before.sockets + MORE_SOCKETS, 'sockets stayed open'],
    [after.heap > before.heap + MORE_HEAP_MB, 'the heap did not come back'],
    [after.memory > before.memory + MORE_MEMORY_MB, 'memory did not come back'],
    [after.p50 > before.p50 * SLOWER + SLOWER_MS, 'honest requests stayed slow'],
    [before.failed.length + after.failed.length > 0, 'honest requests failed in peace'],
    [
      during.failed.length * 100 > during.requests * MOST_FAILED_PERCENT,
      'honest requests failed under attack',
    ],
    [
      [before, during, after].some(({ orders, uploads }) => orders === 0 || uploads === 0),
      'nothing was sold',
    ],
  ];
  return checks.flatMap(([isWrong, what]) => (isWrong ? [what] : []));
}

/**
 * Sends honest and hostile traffic to a market of its own outside a demo: honest alone, then both,
 * then honest alone again. Loopback only, with a limited number of hostile requests and sockets.
 * Linux only: sockets are counted in /proc.
 */
export async function runSiege(options: SiegeOptions): Promise<Outcome> {
  const { duringMs, calmMs, waitsForHolders, say } = options;
  const market = await openBesieged();
  const [kind, unkind] = [
    createAsker(market.port, HONEST_CONNECTIONS),
    createAsker(market.port, HOSTILE_CONNECTIONS),
  ];
  const besiegers = createBesiegers(unkind, market.port);
  const measured = async (name: string, people: HonestPeople, ms: number) => {
    const found = await stretch(people, market, ms);
    say(inWords(name, found));
    for (const one of new Set(found.failed)) say(`         failed: ${one}`);
    return found;
  };
  try {
    const people = await createHonestPeople(kind, market);
    // The first round compiles code and fills caches.
    await people.liveFor(calmMs);
    const before = await measured('before', people, calmMs);
    const peace = new AbortController();
    const attacking = besiegers.attack(peace.signal);
    const during = await measured('during', people, duringMs);
    peace.abort();
    const answers = await attacking;
    const counts = [...answers]
      .sort(([one], [other]) => one - other)
      .map((pair) => pair.join(' × '));
    say(`hostile  answers: ${counts.join(', ')}; ${besiegers.held()} sockets held at the end`);
    unkind.close();
    if (!waitsForHolders) besiegers.close();
    for (const until = Date.now() + LONGEST_HOLD_MS; besiegers.held() > 0 && Date.now() < until; )
      await wait(500);
    const left = besiegers.held();
    say(`         ${left} of them the market has not hung up on`);
    const after = await measured('after', people, calmMs);
    const wrong = [
      ...whatIsWrong(before, during, after),
      ...(left > 0 ? ['some who hold a socket still have it'] : []),
    ];
    return { before, during, after, answers, wrong };
  } finally {
    besiegers.close();
    kind.close();
    unkind.close();
    await market.close();
  }
}
