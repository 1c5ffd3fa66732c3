import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oja } from '../../cli/test/support/oja.js';
import { type Bought, buy } from '../chaos/buyer.js';
import { type Engines, openEngines } from '../chaos/engines.js';
import { smoothFate } from '../chaos/fates.js';
import { goodsOf } from '../chaos/goods.js';
import { createProvider, type Provider, secretOf } from '../chaos/provider.js';
import { receive } from '../chaos/receive.js';
import { type Roles, startRoles } from '../chaos/roles.js';
import { hireStaff, type Staff } from '../chaos/staff.js';
import { type Cluster, startEventStoreNodes, startReplicaSet } from '../support/clusters.js';
import { reachEngines } from '../support/engines.js';
import { temporaryFolder } from '../support/market.js';
import { expectSoldOnce } from '../support/sold.js';

const BUYERS = 3;
const SELLERS = 3;
const PRODUCTS = 10;
/** Orders between two disturbances. */
const ORDERS = 15;
/** Longer than the election timeout, after which the other members elect a new leader, in milliseconds. */
const FROZEN_MS = 20_000;
/** The longest time without a sale (ms): an election, and connections to a frozen leader. */
const AWAY_MS = 60_000;

interface Kind {
  readonly name: string;
  /** The environment variable that names the program of a node. */
  readonly variable: string;
  start(program: string, folder: string): Promise<Cluster>;
  /** What tells a service of the cluster. The other engine is embedded. */
  env(url: string): Readonly<Record<string, string>>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'MongoDB',
    variable: 'MONGOD',
    start: startReplicaSet,
    env: (url) => ({ MONGODB_URL: url.replace('/?', '/oja?') }),
  },
  {
    name: 'EventStoreDB',
    variable: 'EVENTSTORED',
    start: startEventStoreNodes,
    env: (url) => ({ EVENTSTORE_URL: url }),
  },
];

const programOf = ({ variable }: Kind): string | null => {
  const path = process.env[variable];
  return path !== undefined && existsSync(path) ? path : null;
};

const ownRedis = KINDS.some((kind) => programOf(kind) !== null);
/** The checks read every event, so the log is never the shared one, which has those of other tests. */
const { REDIS_URL } = (await reachEngines({ ownRedis })).env;

for (const kind of KINDS)
  describe(`A market on three nodes of ${kind.name}`, () => {
    const program = programOf(kind);
    if (program === null) it.skip(`was not run: ${kind.variable} names no program`);
    else itSellsOn(kind, program);
  });

function itSellsOn(kind: Kind, program: string): void {
  const folder = temporaryFolder();
  let cluster: Cluster;
  let roles: Roles;
  let engines: Engines;
  let provider: Provider;
  let staff: Staff;
  const bought: Bought[] = [];
  const boughtAt: number[] = [];
  let number = 0;

  beforeAll(async () => {
    cluster = await kind.start(program, folder.path);
    roles = await startRoles(`${folder.path}/market`, {
      ...(REDIS_URL !== undefined && { REDIS_URL }),
      ...kind.env(cluster.url),
      PAYOUTS: 'off',
    });
    engines = await openEngines(roles.env);
    provider = createProvider(roles.origin, secretOf(`${folder.path}/market`));
    staff = await hireStaff(roles, SELLERS, PRODUCTS);
  }, 300_000);

  afterAll(async () => {
    await engines?.close();
    await roles?.stop();
    await cluster?.stop();
    folder.remove();
  });

  /** Sells during a disturbance of the leader and beyond it. Checks the longest time without a sale. */
  async function sellThrough(what: string, hindrance: () => Promise<void>): Promise<void> {
    const goods = await goodsOf(roles.origin, PRODUCTS);
    const began = boughtAt.push(performance.now()) - 1;
    let isOver = false;
    let left = ORDERS;
    const selling = Array.from({ length: BUYERS }, async () => {
      while (!isOver || left > 0) {
        number += 1;
        const order = await buy(roles.origin, provider, goods, smoothFate(number));
        await receive(order, provider, staff);
        bought.push(order);
        boughtAt.push(performance.now());
        if (isOver) left -= 1;
      }
    });
    try {
      await hindrance();
    } finally {
      isOver = true;
      await Promise.all(selling);
    }
    const times = boughtAt.slice(began);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    const away = Math.max(...gaps);
    console.log(
      `${kind.name} ${what}: ${times.length - 1} orders, ${Math.ceil(away / 1_000)} s without one`,
    );
    expect(away).toBeLessThan(AWAY_MS);
  }

  /** Repeats a command until it succeeds, as an operator would. */
  async function operate(args: readonly string[]): Promise<void> {
    const run = () => oja(`${folder.path}/market`, args, roles.env);
    const patience = { timeout: 180_000, interval: 1_000, message: `oja ${args.join(' ')}` };
    await expect.poll(run, patience).toMatchObject({ code: 0 });
  }

  it('sells on when the leader hands over', () =>
    sellThrough('handed over', () => cluster.stepDown()));

  it('sells on when it is killed, and builds read models anew meanwhile', () =>
    sellThrough('killed', async () => {
      const building = operate(['replay', 'timeline']);
      const restart = await cluster.kill();
      await building;
      await restart();
    }));

  it('sells on when it stands still, and another generation is taken meanwhile', async () => {
    await operate(['replay', 'start', 'catalogue']);
    await operate(['replay', 'watch', 'catalogue']);
    await sellThrough('frozen', async () => {
      const frozen = cluster.freeze(FROZEN_MS);
      await wait(100);
      await operate(['replay', 'switch', 'catalogue']);
      await frozen;
    });
  });

  it('has lost nothing and done nothing twice, and no service has died', async () => {
    const ids = bought.map(({ transactionId }) => transactionId);
    await expectSoldOnce(engines, ids, number);
    await operate(['verify']);
    expect(roles.ended()).toEqual([]);
  });
}
