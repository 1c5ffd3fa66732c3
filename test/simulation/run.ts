import { canonicalJson, createMemoryDocuments, createMemoryDocumentsData } from '@oja/platform';
import { catchUp, projections } from '@oja/projector';
import { createRandom } from '../chaos/random.js';
import { buy } from './buyers.js';
import { checkBooks, checkNames, checkStock } from './checks.js';
import { createMarket, createStores, PUBLIC_URL } from './market.js';
import { createNetwork, noticeFate, retriesAfter } from './network.js';
import { createProvider, type Notice, type Provider } from './provider.js';
import { runOn } from './runtime.js';
import { CALM, createScheduler, type Program, type Weather } from './scheduler.js';
import { sell } from './sellers.js';
import { finishAll, keepHouse } from './staff.js';
import { createWitness, Violation } from './witness.js';
import { DAY, HOUR, MINUTE, type World } from './world.js';

/** What can go wrong. Each trouble can be left out, to find out which ones a violation needs. */
export const TROUBLES = [
  'kills',
  'suspensions',
  'slowness',
  'failures',
  'network',
  'notices',
  'twins',
  'silence',
  'late payments',
  'unclear payments',
  'wrong payments',
  'odd transfers',
  'odd refunds',
  'chargebacks',
  'erasures',
  'renames',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Plan {
  readonly seed: number;
  readonly orders: number;
  readonly days: number;
  /** Only these orders are placed; absent: all of them. */
  readonly only?: readonly number[];
  /** Absent: all of them. */
  readonly troubles?: readonly Trouble[];
  /** Selects another order of the same steps. */
  readonly shuffle?: number;
  /** Records the story of the run. */
  readonly isTold?: boolean;
}

export interface Outcome {
  readonly violation: Violation | null;
  /** Hash of all steps: the same for the same plan. */
  readonly hash: string;
  readonly steps: number;
  readonly events: number;
  /** Orders that were placed, and how many of them were paid. */
  readonly placed: number;
  readonly paid: number;
  readonly kills: number;
  readonly story: readonly string[];
  readonly unknownPaths: readonly string[];
}

const START = Date.UTC(2026, 0, 5, 8);
const STORM: Weather = { kill: 1 / 2_500, suspend: 1 / 500, slow: 1 / 60, fail: 1 / 400 };
/** After the last order everything ends within this time: a dispute may hold a payout back for 60 days. */
const SETTLING_DAYS = 75;
/** Until then a transfer of the last day may still come back. */
const SETTLING_DAYS_LEAST = 9;
const MOST_SELLERS = 9;
/** In a run this long the second copy of each program comes and goes; in a shorter one it stays. */
const LONG_LIFE_DAYS = 60;
/** Hours (least, most) for which the second copy stays, and for which it is away. */
const TWINS_STAY = [1, 12] as const;
const TWINS_AWAY = [6, 60] as const;

/** Simulates one market from its first day to the end of its last order. */
export async function simulate(plan: Plan): Promise<Outcome> {
  const { seed, orders, days } = plan;
  const troubles: ReadonlySet<Trouble> = new Set(plan.troubles ?? TROUBLES);
  const chances = createRandom(seed);
  const story: string[] = [];
  let hash = 0x811c9dc5;
  let kills = 0;
  let isStormy = false;
  let isOver = false;
  let areTwinsAway = false;
  const tell = (who: string, what: string) => {
    if (plan.isTold === true)
      story.push(`${new Date(scheduler.now()).toISOString()} ${who}: ${what}`);
  };
  const note = (text: string) => {
    for (let at = 0; at < text.length; at += 1)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  };

  const scheduler = createScheduler({
    seed: seed + 7_919 * (plan.shuffle ?? 0),
    start: START,
    onStep(program, what, now) {
      note(program?.name ?? '');
      note(what);
      hash = Math.imul(hash ^ (now % 1_000_003), 0x01000193);
      witness.look();
    },
    onSuspend: (program, ms) => tell(program.name, `stands still for ${Math.round(ms / 1000)} s`),
    onKill(program) {
      if (areTwinsAway && isTwin(program)) return tell(program.name, 'is taken away');
      kills += 1;
      tell(program.name, 'is killed');
      scheduler.at(
        scheduler.now() + chances.pick([500, 5_000, MINUTE, HOUR]),
        'starts again',
        () => {
          if (!areTwinsAway || !isTwin(program)) market.restart(program.name);
        },
      );
    },
    isBusy: () => market.isInUse() || network.isInUse() || isBehind(),
  });
  const stores = createStores();
  const until = START + days * DAY;
  const payouts = chances.chance(0.85);
  const log = (program: Program, text: string) => tell(program.name, text);
  const services = troubles.has('twins') ? 2 : 1;
  const projectors = troubles.has('twins') && chances.chance(0.4) ? 2 : 1;
  const queues = chances.chance(0.6);
  const market = createMarket({ scheduler, stores, services, projectors, payouts, queues, log });
  let provider: Provider;
  const network = createNetwork({
    scheduler,
    provider: () => provider,
    isStormy: () => isStormy && troubles.has('network'),
  });
  const witness = createWitness({
    log: stores.log,
    provider: () => provider,
    now: scheduler.now,
    tell,
    fail: (violation) => scheduler.fail(violation),
  });
  provider = createProvider({
    seed,
    scheduler,
    troubles,
    notify,
    moved: (what) => witness.moved(what),
  });
  runOn({ scheduler, seed, fetch: (url, init) => network.call(url, init) });

  function isBehind(): boolean {
    if (!market.hasProjector()) return false;
    const head = stores.log.events.at(-1)?.position;
    if (head === undefined) return false;
    const rows = stores.documents.tables.get('checkpoints')?.rows;
    return projections.some(({ name, version }) => {
      const at = rows?.get(`${name}_v${version}_g1`)?.document.position;
      return typeof at !== 'string' || at < head;
    });
  }

  /** Delivers a notice of the provider to the market, as often and as late as its fate says. */
  function notify(notice: Notice): void {
    const isRough = !isOver && troubles.has('notices');
    const delays = isRough ? noticeFate(chances) : [chances.between(0, 3_000)];
    for (const delay of delays)
      scheduler.at(
        scheduler.now() + delay,
        `notice ${notice.event}`,
        () => void deliver(notice, 0),
      );
  }

  async function deliver(notice: Notice, attempt: number): Promise<void> {
    const answer = await market.call(
      'paystackWebhook',
      { params: undefined, body: notice.body },
      { headers: { 'x-paystack-signature': notice.signature } },
    );
    tell(
      'provider',
      `tells ${notice.event} of ${notice.reference}: ${answer?.status ?? 'no answer'}`,
    );
    if (answer?.status === 200) return witness.hears(notice.event, notice.reference);
    const again = retriesAfter(attempt);
    if (again !== null)
      scheduler.at(
        scheduler.now() + again,
        'notice again',
        () => void deliver(notice, attempt + 1),
      );
  }

  const world: World = {
    seed,
    days,
    scheduler,
    market,
    provider,
    witness,
    stalls: [],
    goods: [],
    until,
    troubles,
    tell,
    isPaidByTransfer: (sellerId) =>
      payouts &&
      (stores.log.streams.get(`seller-${sellerId}`) ?? []).some(
        ({ type }) => type === 'PayoutAccountSet',
      ),
  };

  /** Runs a person's day; an error is a fault of the simulation. */
  const live = (work: Promise<void>) => {
    work.catch((error: unknown) => scheduler.fail(error));
  };
  const wakeAt = (time: number) => scheduler.at(time, 'a minute passes', scheduler.rouse);

  function weatherChanges(): void {
    if (isOver) return;
    isStormy = !isStormy;
    const kinds = {
      kills: 'kill',
      suspensions: 'suspend',
      slowness: 'slow',
      failures: 'fail',
    } as const;
    const storm: Record<keyof Weather, number> = { ...CALM };
    for (const [kind, part] of Object.entries(kinds))
      if (troubles.has(kind as Trouble)) storm[part] = STORM[part];
    scheduler.setWeather(isStormy ? storm : CALM);
    scheduler.at(
      scheduler.now() + chances.between(1, 60) * HOUR,
      'the weather changes',
      weatherChanges,
    );
  }

  const isTwin = ({ name }: Program) => name === 'service 2' || name === 'projector 2';

  /** The second copies are killed at any point, and restart empty like a machine that was lost. */
  function twinsComeAndGo(): void {
    areTwinsAway = !areTwinsAway;
    for (const program of market.programs().filter(isTwin))
      if (areTwinsAway) scheduler.kill(program);
      else market.restart(program.name);
    const [from, to] = areTwinsAway ? TWINS_AWAY : TWINS_STAY;
    scheduler.at(
      scheduler.now() + chances.between(from, to) * HOUR,
      'twins come and go',
      twinsComeAndGo,
    );
  }

  async function settle(): Promise<void> {
    isOver = true;
    isStormy = false;
    scheduler.setWeather(CALM);
    provider.beKind();
    for (let day = 0; day < SETTLING_DAYS; day += 1) {
      for (let wake = 0; wake < 3; wake += 1) {
        await scheduler.sleep(8 * HOUR, 'hours pass');
        scheduler.rouse();
      }
      if (day % 2 === 0) await finishAll(world);
      if (day >= SETTLING_DAYS_LEAST && witness.open().length === 0) return;
    }
  }

  /** Waits until a living projector has reached the end of the log. */
  async function caughtUp(): Promise<void> {
    for (let looks = 0; isBehind() || !market.hasProjector(); looks += 1) {
      if (looks === 100) throw new Violation('read models do not catch up', 'all');
      await scheduler.sleep(15 * MINUTE, 'time passes');
      scheduler.rouse();
    }
  }

  async function conclude(): Promise<void> {
    await caughtUp();
    for (const order of witness.orders.values()) {
      const why = witness.unfinished(order);
      if (why !== null)
        throw new Violation('nobody can bring an order to its end', order.transactionId, why);
    }
    checkBooks(stores, provider, witness, scheduler.now() - 8 * HOUR);
    checkStock(stores, witness);
    await checkNames(world);
    await checkModels();
  }

  /** The read models must equal a clean rebuild from the log. */
  async function checkModels(): Promise<void> {
    const data = createMemoryDocumentsData();
    await caughtUp();
    const head = stores.log.events.at(-1)?.position;
    await market.operate('rebuilds', async ({ eventStore, logger }) => {
      const documents = createMemoryDocuments(data);
      const { signal } = new AbortController();
      if (head !== undefined)
        for (const projection of projections)
          await catchUp({ eventStore, documents, projection, logger, signal }, head);
    });
    // Events appended meanwhile are in only one of the two: compare again.
    if (stores.log.events.at(-1)?.position !== head) return checkModels();
    for (const [name, { rows }] of data.tables) {
      const live = stores.documents.tables.get(name)?.rows;
      if (name === 'checkpoints' || name === 'pointers') continue;
      for (const id of new Set([...rows.keys(), ...(live?.keys() ?? [])])) {
        const [a, b] = [live?.get(id)?.document ?? null, rows.get(id)?.document ?? null];
        if (canonicalJson(a) !== canonicalJson(b))
          throw new Violation('a read model is not what a rebuild makes', `${name}/${id}`);
      }
    }
  }

  let isDone = false;
  const end = () => {
    isDone = true;
  };
  scheduler.at(START, 'the market opens', () => {
    market.start();
    scheduler.at(START + chances.between(0, 20) * MINUTE, 'the weather changes', weatherChanges);
    if (days >= LONG_LIFE_DAYS) scheduler.at(START + HOUR, 'twins come and go', twinsComeAndGo);
    for (let number = 0; number < Math.min(MOST_SELLERS, 2 + orders / 2); number += 1)
      live(sell(world, number));
    live(keepHouse(world));
  });
  let burst = 0;
  for (let number = 0; number < orders; number += 1) {
    // Every second order, on average, comes within ten minutes of the one before.
    if (number === 0 || chances.chance(0.5))
      burst = START + DAY + chances.next() * (days - 1) * DAY;
    const at = Math.round(burst + chances.next() * 10 * MINUTE);
    if (plan.only && !plan.only.includes(number)) continue;
    scheduler.at(at, 'a buyer comes', () => live(buy(world, number)));
    for (const after of [MINUTE, 6 * MINUTE, HOUR, DAY, 3 * DAY])
      wakeAt(at + after + chances.between(0, MINUTE));
  }
  for (let day = 0; day < days; day += 1) wakeAt(START + day * DAY);
  scheduler.at(until, 'the last day is over', () => live(settle().then(conclude).then(end)));

  const crash = (error: unknown) => {
    const program = scheduler.current();
    scheduler.fail(
      new Violation(
        'a program dies of what nobody handles',
        program?.name ?? 'the world',
        error instanceof Error ? (error.stack ?? '') : String(error),
      ),
    );
  };
  process.on('unhandledRejection', crash);
  let violation: Violation | null = null;
  try {
    await scheduler.run(() => isDone);
    if (!isDone) throw new Error('nothing is left to happen, and the run has not ended');
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    violation = error;
  } finally {
    process.off('unhandledRejection', crash);
  }
  for (const program of market.programs()) {
    program.alive = false;
    for (const end of program.ending.splice(0)) end();
  }
  return {
    violation,
    hash: (hash >>> 0).toString(16).padStart(8, '0'),
    steps: scheduler.steps(),
    events: stores.log.events.length,
    ...witness.tally(),
    kills,
    story,
    unknownPaths: [...provider.unknownPaths],
  };
}

export { PUBLIC_URL };
