import { createRandom, type Random } from '../chaos/random.js';
import type { Answer } from './market.js';
import {
  chancesFor,
  commandIdOf,
  DAY,
  HOUR,
  lookedAt,
  MINUTE,
  type Stall,
  type World,
} from './world.js';

const PICTURES = ['one.webp', 'two.webp'].map((name) => `https://oja.sim/v1/image/${name}`);
const PRICES = [460, 1_150, 2_300, 3_450, 5_000, 11_500, 34_500];
const SELLERS_SEED = 700_000;
const TRIES = 8;
/** Even in a long run a seller returns at least this often. */
const MOST_DAYS_BETWEEN = 15;
/** The largest stock that a seller counts. */
const MOST_STOCK = 9;

/** Names that several sellers want: two sellers must never share one. */
const nameOf = (number: number) => `Stall ${String.fromCharCode(65 + (number % 26))}${number % 7}`;

/** Repeats the request with the same key until it is answered, as a browser does. */
async function insist(
  { scheduler }: World,
  chances: Random,
  ask: () => Promise<Answer | null>,
): Promise<Answer | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Some people click twice.
    const [answer] = chances.chance(0.1) ? await Promise.all([ask(), ask()]) : [await ask()];
    if (answer !== null && answer !== undefined && answer.status < 500) return answer;
    await scheduler.sleep(chances.pick([1_000, 20_000, 3 * MINUTE, 2 * HOUR]), 'tries again');
  }
  return null;
}

/** Plays one seller, who opens a stall, fills it, and renames it now and then. */
export async function sell(world: World, number: number): Promise<void> {
  const chances = chancesFor(createRandom, world, SELLERS_SEED + number);
  const { scheduler, market } = world;
  const stall: Stall = {
    number,
    password: `stall and secret ${number}`,
    sellerId: null,
    businessName: '',
  };
  await scheduler.sleep(chances.between(0, 40) * MINUTE, 'a seller comes');
  for (let tries = 0; stall.sellerId === null && tries < TRIES; tries += 1) {
    // Two sellers want the same name, and try it again after a refusal.
    const businessName = nameOf(tries < 3 ? number >> 1 : number + 11 * tries);
    await signUp(world, stall, businessName, tries, chances);
    await scheduler.sleep(chances.pick([1_000, 2 * MINUTE, 5 * MINUTE]), 'thinks of a name');
  }
  const { sellerId } = stall;
  if (sellerId === null) return;
  world.stalls.push(stall);
  if (chances.chance(0.85)) await sayWhereToPay(world, stall, chances);
  let item = 0;
  for (; item < 3; item += 1) await offer(world, stall, item, chances);
  const daysBetween = Math.min(MOST_DAYS_BETWEEN, Math.max(2, world.days / 3));
  while (scheduler.now() < world.until) {
    await scheduler.sleep(chances.between(1, daysBetween) * DAY, 'a seller acts');
    if (scheduler.now() >= world.until) return;
    const act = chances.weighted({
      rename: 4,
      back: 2,
      price: 3,
      login: 1,
      twice: 1,
      recount: 8,
      offer: 2,
    });
    if (act === 'price') await changePrice(world, stall, chances);
    else if (act === 'offer') await offer(world, stall, item++, chances);
    else if (act === 'recount') await recount(world, stall, chances);
    else if (act === 'login') await market.call('login', loginOf(stall));
    else if (!world.troubles.has('renames')) continue;
    else if (act === 'twice')
      await Promise.all([
        rename(world, stall, nameOf(number + 3), chances),
        rename(world, stall, nameOf(number + 4), chances),
      ]);
    else
      await rename(world, stall, nameOf(act === 'back' ? number : chances.between(0, 40)), chances);
  }
}

export const loginOf = ({ businessName, password }: Stall) => ({
  params: undefined,
  body: { businessName, password },
});

const actorOf = (sellerId: string) => ({
  sellerId,
  role: 'seller' as const,
  suspended: false,
  session: 'a session',
});

async function signUp(
  world: World,
  stall: Stall,
  businessName: string,
  tries: number,
  chances: Random,
): Promise<void> {
  const commandId = commandIdOf('register', stall.number, businessName, tries);
  const answer = await insist(world, chances, () =>
    world.market.call('register', {
      params: undefined,
      commandId,
      body: {
        name: `Seller ${stall.number}`,
        businessName,
        phone_1: '08031234567',
        password: stall.password,
      },
    }),
  );
  world.tell(
    `seller ${stall.number}`,
    `registers as ${businessName}: ${answer?.status ?? 'no answer'}`,
  );
  if (answer?.status !== 201) return;
  const id = world.witness.registered(businessName, commandId);
  stall.sellerId = id;
  stall.businessName = businessName;
}

async function sayWhereToPay(
  world: World,
  { sellerId, number, password }: Stall,
  chances: Random,
): Promise<void> {
  if (sellerId === null) return;
  await insist(world, chances, () =>
    world.market.call('setPayoutAccount', {
      params: undefined,
      actor: actorOf(sellerId),
      commandId: commandIdOf('account', number),
      body: {
        account_name: `Seller ${number}`,
        account_number: '0123456789',
        bank_code: '058',
        password,
      },
    }),
  );
}

async function offer(
  world: World,
  { sellerId, number }: Stall,
  item: number,
  chances: Random,
): Promise<void> {
  if (sellerId === null) return;
  const price = chances.pick(PRICES);
  const stock = chances.chance(0.4) ? chances.between(1, MOST_STOCK) : null;
  const answer = await insist(world, chances, () =>
    world.market.call('addProduct', {
      params: undefined,
      actor: actorOf(sellerId),
      commandId: commandIdOf('offer', number, item),
      body: {
        updatedInput: {
          prod_name: `Thing ${number}-${item}`,
          price,
          description: 'A thing',
          subcategory_id: 1,
          state: 'Enugu',
          local_govt: 'Nsukka',
          stock,
        },
        imageUrls: PICTURES,
      },
    }),
  );
  if (answer?.status !== 201 || answer.body === null || !('productId' in answer.body)) {
    world.tell(`seller ${number}`, `offers nothing: ${answer?.status ?? 'no answer'}`);
    return;
  }
  const productId = String(answer.body.productId);
  world.goods.push({ productId, sellerId, price, isCounted: stock !== null });
}

async function changePrice(
  world: World,
  { sellerId, number }: Stall,
  chances: Random,
): Promise<void> {
  const own = lookedAt(world).filter((goods) => goods.sellerId === sellerId);
  if (own.length === 0 || sellerId === null) return;
  const goods = chances.pick(own);
  const price = chances.pick(PRICES);
  const commandId = commandIdOf('price', number, world.scheduler.now());
  const answer = await insist(world, chances, () =>
    world.market.call('updateProduct', {
      params: { productID: goods.productId },
      actor: actorOf(sellerId),
      commandId,
      body: { price },
    }),
  );
  if (answer?.status === 200) goods.price = price;
}

/** The seller corrects the stock: new items arrived, or one was sold elsewhere. */
async function recount(world: World, { sellerId, number }: Stall, chances: Random): Promise<void> {
  const own = lookedAt(world).filter((goods) => goods.sellerId === sellerId && goods.isCounted);
  if (own.length === 0 || sellerId === null) return;
  const { productId } = chances.pick(own);
  const stock = chances.between(0, MOST_STOCK);
  const commandId = commandIdOf('recount', number, world.scheduler.now());
  const answer = await insist(world, chances, () =>
    world.market.call('updateProduct', {
      params: { productID: productId },
      actor: actorOf(sellerId),
      commandId,
      body: { stock },
    }),
  );
  world.tell(`seller ${number}`, `has ${stock} of ${productId}: ${answer?.status ?? 'no answer'}`);
}

async function rename(
  world: World,
  stall: Stall,
  businessName: string,
  chances: Random,
): Promise<void> {
  const { sellerId, number } = stall;
  if (sellerId === null) return;
  const commandId = commandIdOf('rename', number, world.scheduler.now(), businessName);
  const answer = await insist(world, chances, () =>
    world.market.call('updateProfile', {
      params: { userId: sellerId },
      actor: actorOf(sellerId),
      commandId,
      body: { name: `Seller ${number}`, businessName, phone_1: '08031234567' },
    }),
  );
  world.tell(`seller ${number}`, `becomes ${businessName}: ${answer?.status ?? 'no answer'}`);
  if (answer?.status === 200) stall.businessName = businessName;
}
