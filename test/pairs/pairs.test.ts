import { createEventStoreDb } from '@oja/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bought, buy } from '../chaos/buyer.js';
import { type Engines, openEngines } from '../chaos/engines.js';
import { smoothFate } from '../chaos/fates.js';
import { goodsOf } from '../chaos/goods.js';
import { createProvider, secretOf } from '../chaos/provider.js';
import { receive } from '../chaos/receive.js';
import { ROLES, type Roles, startRoles } from '../chaos/roles.js';
import { hireStaff } from '../chaos/staff.js';
import { reachEngines } from '../support/engines.js';
import { temporaryFolder } from '../support/market.js';
import { expectSoldOnce } from '../support/sold.js';
import { failOver } from './failover.js';
import { openDashboard } from './seller.js';

/** At least this many; orders continue until the last copy is back. */
const ORDERS = 200;
const BUYERS = 4;
const SELLERS = 4;
const PRODUCTS = 12;
/** Each copy of each role is killed once. */
const VICTIMS = [...ROLES, ...ROLES];
/** The list of notices holds only the newest ones, up to this many. */
const MOST_LISTED = 1_000;
/** The longest time without anybody doing a role's work, in milliseconds. */
const FAIL_OVER_MS = 10_000;

const reached = await reachEngines();
const { REDIS_URL, ...named } = reached.env;

sellOn('embedded files', {});
if (REDIS_URL !== undefined) sellOn('embedded files and Redis', { REDIS_URL });
if (Object.keys(named).length > 0) {
  const why = await whyNotOurs(named);
  if (why === null) sellOn(reached.names.join(' and '), reached.env);
  else notRun(reached.names.join(' and '), why);
}
for (const missing of reached.missing) notRun(missing.split(' ', 1)[0] ?? '', missing);

function sellOn(name: string, env: Readonly<Record<string, string>>): void {
  describe(`Two of each service on ${name}`, () => {
    it('sell on while each of them is killed', async () => {
      const folder = temporaryFolder();
      // Remove it also when the test times out and its own cleanup never runs.
      onTestFinished(() => folder.remove());
      const roles = await startRoles(folder.path, { ...env, PAYOUTS: 'off' }, 2);
      onTestFinished(() => roles.stop());
      const engines = await openEngines(roles.env);
      onTestFinished(() => engines.close());
      await live(folder.path, roles, engines);
    }, 600_000);
  });
}

function notRun(name: string, why: string): void {
  describe(`Two of each service on ${name}`, () => {
    it.skip(`was not reached: ${why}`);
  });
}

/** A server has one log and the test checks every event in it, so it must be empty and not shared. */
async function whyNotOurs({ EVENTSTORE_URL: url }: typeof named): Promise<string | null> {
  if (!process.env.ALONE) return 'others use the servers meanwhile (npm run test:cluster)';
  if (url === undefined) return null;
  const log = await createEventStoreDb({ url });
  const head = await log.head();
  await log.close();
  return head === null ? null : 'the log at EVENTSTORE_URL is not empty';
}

async function live(dataDir: string, roles: Roles, engines: Engines): Promise<void> {
  const { origin } = roles;
  const provider = createProvider(origin, secretOf(dataDir));
  const staff = await hireStaff(roles, SELLERS, PRODUCTS);
  const goods = await goodsOf(origin, PRODUCTS);
  const names = [...new Set(goods.map(({ businessName }) => businessName))];
  const sellers = await Promise.all(names.map((name) => openDashboard(origin, name)));

  const bought: Bought[] = [];
  let number = 0;
  let isOver = false;
  const selling = Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (number < ORDERS || !isOver) {
        number += 1;
        const order = await buy(origin, provider, goods, smoothFate(number));
        await receive(order, provider, staff);
        bought.push(order);
      }
    }),
  );
  const took: string[] = [];
  try {
    for (const [kills, role] of VICTIMS.entries()) {
      const due = Math.floor((kills * ORDERS) / (VICTIMS.length + 1));
      await expect.poll(() => bought.length, { timeout: 180_000 }).toBeGreaterThanOrEqual(due);
      const ms = await failOver(role, roles, engines);
      took.push(`${role} ${Math.ceil(ms)} ms`);
      expect(ms, role).toBeLessThan(FAIL_OVER_MS);
      // A token rotated by one copy, even by one that died doing so, must be valid at the other.
      const stayed = await Promise.all(sellers.map((seller) => seller.stay()));
      expect(stayed).toEqual(sellers.map(() => 200));
    }
  } finally {
    isOver = true;
    await selling;
  }
  console.log(`${number} orders. Fail-over: ${took.join(', ')}`);

  // The other copy's sweep completes the work that the killed one began.
  const ids = bought.map(({ transactionId }) => transactionId);
  const books = await expectSoldOnce(engines, ids, number);
  await eachEventOnce(engines);

  const told = () =>
    Promise.all(
      sellers.map(async (seller) => ({
        listed: (await seller.notices()).length,
        live: seller.hints() > 0,
      })),
    );
  const due = sellers.map(({ userId }) => {
    const own = books.notices.filter(({ sellerId }) => sellerId === userId);
    return { listed: Math.min(own.length, MOST_LISTED), live: true };
  });
  // Read models show events with a short delay.
  await expect.poll(told, { timeout: 60_000 }).toEqual(due);
  for (const seller of sellers) seller.close();
}

/** Revisions of a stream have no gaps from zero on, and event ids are unique. */
async function eachEventOnce({ log }: Engines): Promise<void> {
  const ids = new Set<string>();
  const next = new Map<string, bigint>();
  let count = 0;
  for await (const { id, stream, revision } of log.readAll({ after: null })) {
    expect(BigInt(revision), stream).toBe(next.get(stream) ?? 0n);
    next.set(stream, BigInt(revision) + 1n);
    ids.add(id);
    count += 1;
  }
  expect(ids.size).toBe(count);
}
