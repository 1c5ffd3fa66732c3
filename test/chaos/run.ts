import { temporaryFolder } from '../support/market.js';
import { among } from './among.js';
import { readBooks } from './books.js';
import { type Bought, buy } from './buyer.js';
import { createClock } from './clock.js';
import { openEngines } from './engines.js';
import { fateOf } from './fates.js';
import { goodsOf } from './goods.js';
import { watchLedger } from './ledger-watch.js';
import { eventCounts } from './log-books.js';
import { disputesHeard, topUp } from './news.js';
import { createProvider, secretOf } from './provider.js';
import { createRandom } from './random.js';
import { receive } from './receive.js';
import { type Role, startRoles } from './roles.js';
import { settle } from './settle.js';
import { hireStaff, openAccounts } from './staff.js';
import { judge, type Verdict } from './verdict.js';
import { createWeather } from './weather.js';
import type { World } from './world.js';

export interface ChaosOptions {
  readonly orders: number;
  readonly seed: number;
  /** Kills of every role while orders are placed, and again while goods are received. */
  readonly killsEach: number;
  /** Receives progress lines for a person who waits. */
  say(line: string): void;
}

export interface Outcome extends Verdict {
  readonly orders: number;
  readonly webhooks: number;
  readonly kills: Readonly<Record<Role, number>>;
  /** How often each type of event occurred in order streams. */
  readonly events: ReadonlyMap<string, number>;
  /** How often the ledger's balance was checked during the run. */
  readonly ledgerLooks: number;
  /** What was still to be done when time ran out. */
  readonly unsettled: readonly string[];
}

/** Buyers at once. */
const BUYERS = 8;
const SELLERS = 6;
const PRODUCTS = 30;
/** Webhooks wanted for every order. */
const WEBHOOKS_EACH = 10;
const HOUR_MS = 3_600_000;

/**
 * Runs a market of separate processes in a folder of its own, with a provider that misbehaves and
 * SIGKILL for every role. Then time passes until nothing is left to do, and the books are compared.
 */
export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const folder = temporaryFolder();
  const clocks = temporaryFolder();
  const clock = createClock(clocks.path);
  try {
    const roles = await startRoles(folder.path, clock.env);
    try {
      const engines = await openEngines(roles.env);
      try {
        return await live(options, { roles, engines, clock, dataDir: folder.path });
      } finally {
        await engines.close();
      }
    } finally {
      await roles.stop();
    }
  } finally {
    folder.remove();
    clocks.remove();
  }
}

async function live(options: ChaosOptions, world: World): Promise<Outcome> {
  const { orders, seed, killsEach, say } = options;
  const { roles, engines, clock } = world;
  const random = createRandom(seed);
  const provider = createProvider(roles.origin, secretOf(world.dataDir));
  const staff = await hireStaff(roles, SELLERS, PRODUCTS);
  const goods = await goodsOf(roles.origin, PRODUCTS);
  await openAccounts(roles.origin, [...new Set(goods.map(({ businessName }) => businessName))]);

  const watch = watchLedger(engines);
  say(`${orders} orders are placed and paid …`);
  const numbers = Array.from({ length: orders }, (_, number) => number);
  const bought: Bought[] = [];
  const storm = () => createWeather({ pieces: orders, killsEach, roles, provider, clock, random });
  const first = storm();
  await among(numbers, BUYERS, async (number) => {
    bought.push(await buy(roles.origin, provider, goods, fateOf(seed, number)));
    first.passedOne();
  });
  await first.settled();

  say('Goods are received, complained about and paid back …');
  clock.pass(49 * HOUR_MS);
  const second = storm();
  await among(bought, BUYERS, async (order) => {
    await receive(order, provider, staff);
    second.passedOne();
  });
  await second.settled();
  await topUp(world, provider, bought, WEBHOOKS_EACH * orders);

  say('Time goes by until nothing is left to do …');
  const unsettled = await settle(engines, roles, clock, () =>
    disputesHeard(world, provider, bought),
  );
  const { looks: ledgerLooks, unbalanced } = await watch.end();
  const ids = bought.flatMap(({ transactionId }) => transactionId ?? []);
  const books = await readBooks(engines, clock.now());
  const verdict = judge({ ...books, known: new Set(ids), untold: orders - ids.length });
  const webhooks = roles.webhooksTaken();
  const events = await eventCounts(engines);
  return {
    ...verdict,
    unbalanced: [...verdict.unbalanced, ...unbalanced],
    orders,
    webhooks,
    kills: roles.kills,
    events,
    ledgerLooks,
    unsettled,
  };
}
