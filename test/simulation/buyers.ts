import { paymentReference } from '@oja/domain/rules';
import { createRandom, type Random } from '../chaos/random.js';
import type { Answer } from './market.js';
import type { Trouble } from './run.js';
import {
  chancesFor,
  commandIdOf,
  DAY,
  type Goods,
  HOUR,
  lookedAt,
  MINUTE,
  type World,
} from './world.js';

/** How a buyer pays; the numbers are weights. */
const PAYING = {
  prompt: 52,
  /** After the order has expired. */
  expired: 6,
  'decline-first': 6,
  late: 8,
  /** The provider says 'pending' for a while although it was paid. */
  unclear: 8,
  short: 4,
  /** On every payment page of the order. */
  twice: 6,
  never: 10,
} as const;

/** What the buyer reports about the goods. */
const RECEIVING = {
  confirmed: 52,
  silent: 16,
  'not-yet': 8,
  problem: 16,
  both: 8,
} as const;

/** The trouble that each of these ways needs to be switched on. */
const TROUBLE_OF: Readonly<Record<string, Trouble>> = {
  expired: 'late payments',
  late: 'late payments',
  unclear: 'unclear payments',
  short: 'wrong payments',
  twice: 'wrong payments',
  silent: 'silence',
};

function possible<T extends string>(meant: T, plain: T, troubles: ReadonlySet<Trouble>): T {
  const trouble = TROUBLE_OF[meant];
  return trouble === undefined || troubles.has(trouble) ? meant : plain;
}

const TRIES = 7;
/** More payment pages than any order has. */
const MOST_ATTEMPTS = 20;

/** Plays one buyer and order; the same for the same seed and number. */
export async function buy(world: World, number: number): Promise<void> {
  const chances = chancesFor(createRandom, world, number);
  const { troubles } = world;
  const paying = possible(chances.weighted(PAYING), 'prompt', troubles);
  const receiving = possible(chances.weighted(RECEIVING), 'confirmed', troubles);
  const isChargedBack = chances.chance(0.12) && troubles.has('chargebacks');
  const { scheduler } = world;
  const order = await place(world, number, chances);
  if (order === null) return;
  if (!(await pay(world, number, order, paying, chances))) return;
  if (chances.chance(0.8)) await comeBack(world, number, order, chances);
  if (isChargedBack) {
    scheduler.at(
      scheduler.now() + chances.pick([HOUR, 2 * DAY, 9 * DAY, 25 * DAY]),
      'dispute',
      () => {
        world.tell(`buyer ${number}`, 'goes to the bank');
        world.provider.dispute(order.reference);
      },
    );
  }
  await receive(world, number, order, receiving, chances);
}

interface Ordered {
  readonly orderKey: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly cookies: Readonly<Record<string, string>>;
  readonly sellerIds: readonly string[];
}

interface Wanted extends Goods {
  readonly quantity: number;
}

async function place(world: World, number: number, chances: Random): Promise<Ordered | null> {
  const { scheduler, market } = world;
  const goods = lookedAt(world);
  if (goods.length === 0) return null;
  const picked = new Set(Array.from({ length: chances.between(1, 3) }, () => chances.pick(goods)));
  let wanted: readonly Wanted[] = [...picked].map((item) => ({
    ...item,
    quantity: chances.between(1, 3),
  }));
  let key = `order ${number}`;
  let amount = amountOf(wanted);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ask = () =>
      market.call('initializeTransaction', {
        params: undefined,
        commandId: commandIdOf(key),
        body: {
          full_name: `Buyer ${number}`,
          email: `buyer${number}@buyers.example`,
          amount,
          home_address: '4 Odim Street',
          phone_number: '08031234567',
          buyerItems: wanted.map(({ productId, sellerId, quantity }) => ({
            product_id: productId,
            user_id: sellerId,
            quantity,
          })),
        },
      });
    const answers = chances.chance(0.08) ? await Promise.all([ask(), ask()]) : [await ask()];
    const answer = answers.find((each) => each?.status === 200) ?? answers[0] ?? null;
    world.tell(`buyer ${number}`, `orders for ₦${amount}: ${answer?.status ?? 'no answer'}`);
    const ordered = answer && orderOf(answer, wanted);
    if (ordered) {
      world.witness.acknowledged('order', ordered.transactionId);
      return ordered;
    }
    const right = answer?.details.amount;
    if (answer?.code === 'amount_changed' && typeof right === 'number') {
      amount = right;
      key = `${key}.`;
      continue;
    }
    if (answer?.code === 'sold_out' && chances.chance(0.8)) {
      wanted = withoutSoldOut(wanted, answer);
      if (wanted.length === 0) return null;
      amount = amountOf(wanted);
      key = `${key}.`;
      continue;
    }
    if (answer !== null && answer.status < 500 && answer.status !== 429 && answer.status !== 409)
      return null;
    await scheduler.sleep(chances.pick([1_000, 10_000, MINUTE, 30 * MINUTE]), 'orders again');
  }
  return null;
}

/** What the buyer still orders when stock is low: what is left of each product, if anything. */
function withoutSoldOut(wanted: readonly Wanted[], { details }: Answer): readonly Wanted[] {
  const gone: readonly unknown[] = Array.isArray(details.gone) ? details.gone : [];
  const left = new Map(
    gone.flatMap((each) =>
      typeof each === 'object' && each !== null && 'product_id' in each && 'left' in each
        ? [[each.product_id, Number(each.left)]]
        : [],
    ),
  );
  return wanted.flatMap((item) => {
    const quantity = Math.min(item.quantity, left.get(item.productId) ?? item.quantity);
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
}

function amountOf(wanted: readonly Wanted[]): number {
  const subtotal = wanted.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return subtotal > 5_000 ? subtotal : subtotal + 800;
}

function orderOf({ status, body, cookies }: Answer, wanted: readonly Wanted[]): Ordered | null {
  if (status !== 200 || body === null || !('transactionId' in body)) return null;
  const orderKey = String(body.transactionId);
  const reference = /"reference":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
  return {
    orderKey,
    transactionId: orderKey.split('.')[0] ?? '',
    reference,
    cookies: Object.fromEntries(
      cookies.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])),
    ),
    sellerIds: [...new Set(wanted.map(({ sellerId }) => sellerId))],
  };
}

/** Resolves to whether the buyer paid or may have paid. */
async function pay(
  world: World,
  number: number,
  { reference, transactionId }: Ordered,
  paying: keyof typeof PAYING,
  chances: Random,
): Promise<boolean> {
  const { scheduler, provider } = world;
  const press = (of: string, how: Parameters<typeof provider.pay>[1]) => {
    world.tell(`buyer ${number}`, `${how}s at the page of ${of}: ${provider.pay(of, how)}`);
  };
  await scheduler.sleep(
    chances.pick([20_000, 2 * MINUTE, 40 * MINUTE, 5 * HOUR]),
    'is on the page',
  );
  switch (paying) {
    case 'never':
      return false;
    case 'expired':
      await scheduler.sleep(chances.between(3, 8) * DAY, 'pays very late');
      press(reference, 'pay');
      return true;
    case 'decline-first':
      press(reference, 'decline');
      await scheduler.sleep(chances.pick([MINUTE, HOUR, DAY]), 'pays again');
      press(reference, 'pay');
      return true;
    case 'twice':
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const of = paymentReference(transactionId, attempt);
        if (provider.charges.has(of)) press(of, 'pay');
      }
      return true;
    case 'late':
    case 'unclear':
    case 'short':
      press(reference, paying);
      return true;
    case 'prompt':
      press(reference, 'pay');
      return true;
  }
}

async function comeBack(
  world: World,
  number: number,
  order: Ordered,
  chances: Random,
): Promise<void> {
  const { scheduler, market } = world;
  for (let tries = 0; tries < 3; tries += 1) {
    await scheduler.sleep(chances.pick([500, 5_000, MINUTE]), 'comes back');
    const answer = await market.call(
      'verifyTransaction',
      { params: { reference: order.reference }, body: undefined },
      { cookies: order.cookies },
    );
    world.tell(
      `buyer ${number}`,
      `is back: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body ?? null).slice(0, 60)}`,
    );
    if (answer?.status === 200) return;
  }
}

async function receive(
  world: World,
  number: number,
  order: Ordered,
  receiving: keyof typeof RECEIVING,
  chances: Random,
): Promise<void> {
  const { scheduler } = world;
  if (receiving === 'silent') return;
  await scheduler.sleep(chances.pick([HOUR, DAY, 3 * DAY, 6 * DAY, 20 * DAY]), 'has received');
  if (receiving === 'not-yet') {
    await say(world, number, 'reportNotReceived', order, chances);
    await scheduler.sleep(chances.between(1, 4) * DAY, 'has received at last');
  }
  if (receiving === 'problem' || receiving === 'both') {
    await scheduler.sleep(2 * DAY, 'has a problem');
    await say(world, number, 'reportProblem', order, chances);
    if (receiving === 'problem') return;
    await scheduler.sleep(chances.pick([0, HOUR, 5 * DAY]), 'confirms the rest');
  }
  await say(world, number, 'confirmDelivery', order, chances);
}

/** Repeats the report until it is answered, for some days. */
async function say(
  { scheduler, market, witness, troubles, tell }: World,
  number: number,
  what: 'confirmDelivery' | 'reportNotReceived' | 'reportProblem',
  { orderKey, transactionId, sellerIds }: Ordered,
  chances: Random,
): Promise<void> {
  // A silent buyer reports only about the first seller's goods.
  const isSilent = troubles.has('silence') && chances.chance(0.5);
  const some = sellerIds.filter((_, index) => index === 0 || !isSilent);
  // Without the trouble 'silence' buyers keep trying until they get an answer.
  const mostTries = troubles.has('silence') ? TRIES : 10 * TRIES;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const commandId = commandIdOf(what, number, tries);
    const ask = () => {
      if (what === 'confirmDelivery')
        return market.call(what, {
          params: { transactionId: orderKey },
          body: {},
          commandId,
        });
      if (what === 'reportNotReceived')
        return market.call(what, { params: { orderKey }, body: undefined, commandId });
      const body = { sellerIds: [...some], message: 'It is broken' };
      return market.call(what, { params: { orderKey }, body, commandId });
    };
    const [answer] = chances.chance(0.1) ? await Promise.all([ask(), ask()]) : [await ask()];
    tell(`buyer ${number}`, `${what}: ${answer?.status ?? 'no answer'} ${answer?.code ?? ''}`);
    if (answer?.status === 200) {
      witness.acknowledged(what, transactionId);
      return;
    }
    // Once an admin has settled everything, nothing is left to say.
    if (answer?.status === 404 || answer?.code === 'settled') return;
    await scheduler.sleep(chances.pick([5_000, HOUR, DAY, 3 * DAY]), 'says it again');
  }
}
