import type { Product } from '@oja/contracts';
import { MongoClient, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buy } from '../chaos/buyer.js';
import { Caller } from '../chaos/caller.js';
import { openEngines } from '../chaos/engines.js';
import { type Fate, fateOf } from '../chaos/fates.js';
import { goodsOf } from '../chaos/goods.js';
import { createProvider, type Provider, secretOf } from '../chaos/provider.js';
import { signIn } from '../chaos/staff.js';
import { Client } from '../support/client.js';
import { noEmptyLog, reachEngines } from '../support/engines.js';
import { freePort, runOja, temporaryFolder } from '../support/market.js';
import { expectSoldOnce } from '../support/sold.js';
import * as walk from '../thread/walk.js';
import { type Crew, type Deployment, openDeployment } from './crews.js';
import { besidePrevious, buildRelease, previousRelease, type Release } from './previous.js';

const ownRedis = typeof previousRelease() !== 'string';
const { names, env } = await reachEngines({ log: 'empty', ownRedis });
const { EVENTSTORE_URL: log, MONGODB_URL: mongo, ...others } = env;
/** Releases before 0.2.0 connect with the `hello` command, which MongoDB knows since 4.4.2. */
const isGreeted = mongo === undefined || (await knowsHello(mongo));

besidePrevious('Two versions of the services', (release) => {
  sellBeside(release, 'over one folder', {});
  if (log === undefined) notRun('EventStoreDB', noEmptyLog);
  else if (isGreeted) sellBeside(release, `on ${names.join(', ')}`, env);
  else {
    const beside = names.filter((name) => name !== 'MongoDB');
    sellBeside(release, `on ${beside.join(', ')}`, { EVENTSTORE_URL: log, ...others });
    notRun('MongoDB', `${release.version} asks it for hello, which it knows since 4.4.2`);
  }
});

function notRun(engine: string, why: string): void {
  describe(`Two versions of the services on ${engine}`, () => {
    it.skip(`was not reached: ${why}`);
  });
}

async function knowsHello(url: string): Promise<boolean> {
  const client = new MongoClient(url);
  try {
    await client.db('admin').command({ hello: 1 });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.codeName === 'CommandNotFound') return false;
    throw error;
  } finally {
    await client.close();
  }
}

const PRODUCTS = 8;
const BUYERS = 3;
const SELLER = 'Adunni Textiles';

/** Paid and notified twice; every third order is placed and verified by three clicks at once. */
const fate = (number: number): Fate => ({
  ...fateOf(1, number),
  paying: number % 3 === 0 ? 'stampede' : 'prompt',
  receiving: 'confirmed',
  news: 'in-order',
  copies: 2,
});

function sellBeside(
  release: Release,
  where: string,
  engines: Readonly<Record<string, string>>,
): void {
  describe(`${release.version} and this version of the services ${where}`, () => {
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const [data, built] = folders;
    const known = new Set<string>();
    let placed = 0;
    let build: string;
    let market: Deployment;
    let provider: Provider;
    let old: Crew;
    let now: Crew;

    beforeAll(async () => {
      build = buildRelease(release, built.path);
      market = await openDeployment(data.path, engines);
      old = await market.open(build);
      await old.oja('seed', '--sellers', '3', '--products', `${PRODUCTS}`, '--orders', '0');
      provider = createProvider(market.origin, secretOf(data.path));
    }, 600_000);

    beforeEach(({ onTestFailed }) => {
      onTestFailed(() => console.error(market.errors().join('\n')));
    });

    afterAll(async () => {
      await market?.close();
      for (const folder of folders) folder.remove();
    });

    /** Places this many orders of several buyers at the public origin while `meanwhile` runs. */
    async function sell(orders: number, meanwhile: () => Promise<void> = async () => {}) {
      const goods = await goodsOf(market.origin, PRODUCTS);
      const until = placed + orders;
      let isOver = false;
      const selling = Promise.all(
        Array.from({ length: BUYERS }, async () => {
          while (placed < until || !isOver) {
            placed += 1;
            const order = await buy(market.origin, provider, goods, fate(placed));
            const path = `/v1/buyers/transactions/${order.orderKey}`;
            const told = await order.caller.persist({ method: 'PUT', path });
            expect(told).toMatchObject({ status: 200 });
            known.add(order.transactionId ?? 'untold');
          }
        }),
      );
      try {
        await meanwhile();
      } finally {
        isOver = true;
        await selling;
      }
    }

    /** Takes a seller's session from one crew to the other. */
    const at = (origin: string, { client, details }: walk.Seller): walk.Seller => {
      const moved = new Client(origin);
      moved.token = client.token;
      return { client: moved, details };
    };

    /** Listed and confirmed at one crew, bought and shown at the other. */
    async function share(one: Crew, other: Crew, name: string): Promise<void> {
      const seller = await walk.registerSeller(one.origin, `${name} House`);
      await walk.listBag(seller, `${name} of raffia`, 11_500, ['brown', 'tan']);
      const shopper = new Client(other.origin);
      const goods: readonly Product[] = await walk.findListed(shopper, name, 1);
      const { payAt, transactionId } = await walk.placeOrder(shopper, goods);
      placed += 1;
      known.add(transactionId.split('.')[0] ?? '');
      const reference = await walk.pay(payAt);
      const paid = new Client(one.origin);
      expect(await walk.verify(paid, reference)).toMatchObject({ ok: true });
      expect(await walk.orderOf(paid, transactionId)).toMatchObject({ recieved: 'PENDING' });
      await paid.call(200, 'PUT', `/v1/buyers/transactions/${transactionId}`);
      for (const { origin } of [one, other]) {
        const seen = async () => (await walk.orderOf(new Client(origin), transactionId)).recieved;
        await expect.poll(seen).toBe('DELIVERED');
        const earned = () => walk.earningsOf(at(origin, seller));
        await expect.poll(earned).toMatchObject({ held: 0, payable: 10_000 });
        expect(await walk.unreadOf(at(origin, seller))).toHaveLength(1);
      }
    }

    it('the earlier one sells on while a new one is killed at its start, and opens again', async () => {
      await sell(6, () => market.openAndKill());
      await old.retire();
      const whole = runOja(['start'], { ...market.env, PORT: `${await freePort()}` });
      await whole.line(/^Opening/);
      await whole.kill();
      old = await market.open(build);
      await sell(3);
    }, 300_000);

    it('each reads what the other has written, and neither loses a session', async () => {
      now = await market.open();
      await share(old, now, 'hamper');
      await share(now, old, 'basket');
      const seller = new Caller(market.origin);
      await signIn(seller, SELLER);
      await sell(12, async () => {
        // The crews answer in turn: each makes the next token from the one the other issued.
        for (let turn = 0; turn < 6; turn += 1) {
          const told = await seller.persist({ method: 'GET', path: '/v1/refresh-token' });
          expect(told).toMatchObject({ status: 200 });
        }
      });
    }, 300_000);

    it('the new one sells on when the earlier one goes, and the earlier one when the deploy is undone', async () => {
      await sell(6, () => old.retire());
      old = await market.open(build);
      await sell(6, () => now.retire());
      await share(old, old, 'satchel');
      now = await market.open();
      await sell(3, () => old.retire());
    }, 300_000);

    it('nothing is lost or doubled, and every read model is right', async () => {
      const open = await openEngines(market.env);
      try {
        await expectSoldOnce(open, known, placed);
        const parked = await open.documents.find('quarantine', {});
        expect(parked.items).toEqual([]);
      } finally {
        await open.close();
      }
      await now.oja('verify');
      expect(market.errors()).toEqual([]);
    }, 300_000);
  });
}
